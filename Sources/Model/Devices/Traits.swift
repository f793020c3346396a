/// A family of devices; the raw value is its name in manifests.
package enum Idiom: String, Sendable, CaseIterable {
  case phone
  case pad
  case tv
  case mac
  case watch
  case vision
  /// A screen in a car, which a phone drives.
  case car
}

/// A range of colours; the raw value is its name in manifests.
package enum Gamut: String, Sendable, CaseIterable {
  case sRGB
  case p3 = "P3"
}

/// The traits that a device needs for a variant; nil fits every device.
package struct Traits: Sendable, Hashable {
  package var idiom: Idiom?
  /// Pixels to a point: 1, 2 or 3.
  package var scale: Int?
  /// The least memory of a device, in gigabytes.
  package var memory: Int?
  package var graphics: GraphicsClass?
  package var gamut: Gamut?

  package init(
    idiom: Idiom? = nil, scale: Int? = nil, memory: Int? = nil, graphics: GraphicsClass? = nil,
    gamut: Gamut? = nil
  ) {
    self.idiom = idiom
    self.scale = scale
    self.memory = memory
    self.graphics = graphics
    self.gamut = gamut
  }

  /// Traits that fit every device.
  package static let none = Traits()

  /// The scales that devices have.
  package static let scales = 1...3
  /// The gigabytes that a variant may ask for.
  package static let memories = 1...1024

  /// The traits as messages list them: `phone, 3x`; empty if every device fits.
  package var words: String {
    let parts = [
      idiom?.rawValue, scale.map { "\($0)x" }, memory.map { "\($0) GB" }, graphics?.rawValue, gamut?.rawValue,
    ]
    return parts.compactMap(\.self).joined(separator: ", ")
  }
}

// Traits of one file from several sources.
extension Traits {
  /// Both together, with the other's value where both have a trait, and whether they had different ones.
  package func adding(_ other: Traits) -> (traits: Traits, differs: Bool) {
    var sum = self
    var differs = false
    func add<Value: Equatable>(_ trait: WritableKeyPath<Traits, Value?>) {
      guard let value = other[keyPath: trait] else { return }
      if let own = sum[keyPath: trait], own != value { differs = true }
      sum[keyPath: trait] = value
    }
    add(\.idiom)
    add(\.scale)
    add(\.memory)
    add(\.graphics)
    add(\.gamut)
    return (sum, differs)
  }
}
