import Formats

/// A device class: devices of one family, scale, gamut, memory size and graphics class, which get the same
/// variants.
package struct DeviceClass: Sendable {
  package let idiom: Idiom
  /// The number of pixels per point.
  package let scale: Int
  package let gamut: Gamut
  /// The memory in gigabytes.
  package let memory: Int
  /// The graphics class, under the name that the devices use.
  package let graphicsName: String
  /// The other graphics classes whose variants the devices can also use, the best class first.
  package let fallbackNames: [String]
  /// The product types, such as `iPhone17,1`.
  package let products: [String]
  package let graphics: [GraphicsClass]

  init(
    _ idiom: Idiom, scale: Int, gamut: Gamut, gigabytes memory: Int, graphicsBestFirst order: String,
    products: String
  ) {
    let names = order.split(separator: " ").map(String.init)
    self.idiom = idiom
    self.scale = scale
    self.gamut = gamut
    self.memory = memory
    graphicsName = names.first ?? ""
    fallbackNames = Array(names.dropFirst())
    self.products = products.split(separator: " ").map(String.init)
    graphics = names.compactMap(GraphicsClass.init(deviceName:))
  }

  /// The name, which contains all traits: `phone 3x P3 8 GB APPLE9`.
  package var name: String { "\(idiom.rawValue) \(scale)x \(gamut.rawValue) \(memory) GB \(graphicsName)" }

  /// The graphics class of the devices, as manifests name it.
  package var graphicsClass: GraphicsClass? { graphics.first }
}

extension DeviceClass: Hashable {
  package static func == (first: DeviceClass, second: DeviceClass) -> Bool { first.name == second.name }

  package func hash(into hasher: inout Hasher) { hasher.combine(name) }
}

// Finding a device class from a word that users type.
extension DeviceClass {
  /// Returns the device class that has this name or this product type; nil if no device class has it.
  package static func named(_ word: String) -> DeviceClass? { byWord[word] }

  /// Returns what is wrong with a word that is neither a device class nor a product type, worded as the end
  /// of a message.
  package static func mistake(in word: String) -> String {
    let parts = words.filter { $0.hasPrefix(word + "-") }
    if !parts.isEmpty {
      return "\(quoted(word)) is sold with different amounts of memory; name one of \(listed(parts))"
    }
    let folded = word.lowercased()
    // Marketing names such as "iPhone 15" look similar to the product types of other devices, so packtool
    // does not suggest a product type for them.
    let isType = word.contains(",") || word.contains("GB")
    let guess = words.first { $0.lowercased() == folded } ?? (isType ? nearest(to: word, in: words) : nil)
    let hint = guess == nil ? "; \"packtool devices\" lists them all" : suggestion(guess)
    return "\(quoted(word)) is not a device class or a product type\(hint)"
  }

  private static let words = all.flatMap { [$0.name] + $0.products }

  private static let byWord: [String: DeviceClass] = Dictionary(
    uniqueKeysWithValues: all.flatMap { device in
      ([device.name] + device.products).map { ($0, device) }
    })
}

/// The graphics classes that a device can use, as devices name them.
///
/// The device's own class comes first.
extension DeviceClass {
  static let apple2 = "APPLE2 APPLE1 GLES2,0"
  static let apple3 = "APPLE3 APPLE3v1 APPLE2 APPLE1 GLES2,0"
  static let apple5With5 = "APPLE5 APPLE4 APPLE3v1 APPLE2 APPLE1 GLES2,0"
  static let apple4 = "APPLE4 APPLE3 APPLE3v1 APPLE2 APPLE1 GLES2,0"
  static let apple5 = "APPLE5 APPLE4 APPLE3 APPLE3v1 APPLE2 APPLE1 GLES2,0"
  static let apple6With6 = "APPLE6 APPLE5 APPLE4 APPLE3v1 APPLE2 APPLE1 GLES2,0"
  static let apple6 = "APPLE6 APPLE5 APPLE4 APPLE3 APPLE3v1 APPLE2 APPLE1 GLES2,0"
  static let apple7 = "APPLE7 APPLE6 APPLE5 APPLE4 APPLE3 APPLE3v1 APPLE2 APPLE1 GLES2,0"
  static let apple8With8 = "APPLE8 APPLE7 APPLE6 APPLE5 APPLE4 APPLE3 APPLE2 APPLE1 GLES2,0"
  static let apple8 = "APPLE8 APPLE7 APPLE6 APPLE5 APPLE4 APPLE3 APPLE3v1 APPLE2 APPLE1 GLES2,0"
  static let apple9 = "APPLE9 APPLE8 APPLE7 APPLE6 APPLE5 APPLE4 APPLE3 APPLE3v1 APPLE2 APPLE1 GLES2,0"
  static let apple10 =
    "APPLE10 APPLE9 APPLE8 APPLE7 APPLE6 APPLE5 APPLE4 APPLE3 APPLE3v1 APPLE2 APPLE1 GLES2,0"
  static let gles2 = "GLES2,0"
  static let mtl1x2 = "MTL1,2 GLES2,0"
  static let mtl2x2 = "MTL2,2 MTL1,2 GLES2,0"
  static let mtl4x1 = "MTL4,1 MTL3,2 MTL3,1 MTL2,2 MTL1,2 GLES2,0"
  static let mtl5x1 = "MTL5,1 MTL4,1 MTL3,2 MTL3,1 MTL2,2 MTL1,2 GLES2,0"
}
