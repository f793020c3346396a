/// A device family; the raw value is its name in manifests.
package enum Idiom: String, Sendable, CaseIterable {
  case phone
  case pad
  case tv
  case mac
  case watch
  case vision
  /// The screen of a car, which shows the picture of an iPhone.
  case car
}

/// A range of colors that a screen can show; the raw value is its name in manifests.
package enum Gamut: String, Sendable, CaseIterable {
  case sRGB
  case p3 = "P3"
}

/// The traits that a device must have to get a variant.
///
/// A trait that is nil is not required.
package struct Traits: Sendable, Hashable {
  package var idiom: Idiom?
  /// The number of pixels per point: 1, 2 or 3.
  package var scale: Int?
  /// The minimum memory of a device, in gigabytes.
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

  /// No trait is required.
  ///
  /// Every device can use the variant.
  package static let none = Traits()

  /// The scales that devices have.
  package static let scales = 1...3
  /// The memory sizes, in gigabytes, that a variant can require.
  package static let memories = 1...1024

  /// The traits as messages list them, such as `phone, 3x`; empty if no trait is required.
  package var words: String {
    let parts = [
      idiom?.rawValue, scale.map { "\($0)x" }, memory.map { "\($0) GB" }, graphics?.rawValue, gamut?.rawValue,
    ]
    return parts.compactMap(\.self).joined(separator: ", ")
  }
}

// Combines the traits that several sources specify for one file.
extension Traits {
  /// Combines these traits with other traits.
  ///
  /// If both specify a trait, the value in `other` is used.
  ///
  /// `differs` is true if both specify a trait, but with different values.
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
