/// A graphics class: a group of processors with the same graphics features.
///
/// The raw value is its name in manifests.
package enum GraphicsClass: String, Sendable, CaseIterable {
  case gles2 = "GLES2,0"
  case apple1 = "APPLE1"
  case apple2 = "APPLE2"
  case apple3v1 = "APPLE3v1"
  case apple3 = "APPLE3"
  case apple4 = "APPLE4"
  case apple5 = "APPLE5"
  case apple6 = "APPLE6"
  case apple7 = "APPLE7"
  case apple8 = "APPLE8"
  case apple9 = "APPLE9"
  case apple10 = "APPLE10"

  /// Finds the class from the name that devices use: `APPLE4`, or an older name such as `MTL4,1`.
  init?(deviceName name: String) {
    guard let known = Self(rawValue: name) ?? Self.olderNames[name] else { return nil }
    self = known
  }

  /// Finds the class from the name that asset catalogs use, such as `metal4v1` or `apple6`.
  package init?(catalogName name: String) {
    guard let known = Self.catalogNames[name.lowercased()] else { return nil }
    self = known
  }

  /// The name of the class in asset catalogs; nil for devices without Metal, because asset catalogs have no
  /// name for them.
  package var catalogName: String? {
    switch self {
    case .gles2: nil
    case .apple1: "metal1v2"
    case .apple2: "metal2v2"
    case .apple3v1: "metal3v1"
    case .apple3: "metal3v2"
    case .apple4: "metal4v1"
    case .apple5: "metal5v1"
    case .apple6, .apple7, .apple8, .apple9, .apple10: rawValue.lowercased()
    }
  }

  private static let olderNames: [String: GraphicsClass] = [
    "MTL1,2": .apple1, "MTL2,2": .apple2, "MTL3,1": .apple3v1, "MTL3,2": .apple3, "MTL4,1": .apple4,
    "MTL5,1": .apple5,
  ]

  /// The graphics classes of later versions of a feature set, by the names of these versions.
  ///
  /// A later version runs on the same processors and only needs a newer system.
  private static let laterVersions: [String: GraphicsClass] = ["metal1v3": .apple1, "metal2v3": .apple2]

  private static let catalogNames: [String: GraphicsClass] = {
    let own = allCases.compactMap { known in known.catalogName.map { ($0, known) } }
    let plain = allCases.map { ($0.rawValue.lowercased(), $0) }
    return Dictionary(own + plain) { first, _ in first }.merging(laterVersions) { first, _ in first }
  }()
}
