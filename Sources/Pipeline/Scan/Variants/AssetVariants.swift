import Formats
package import Model

/// The variants among a tree's files.
///
/// A device gets one variant of each asset, and all files that are not in an asset.
package struct AssetVariants: Sendable {
  /// A layer: the assets from one source, such as catalogs or file names.
  ///
  /// A file can be in one asset of each layer.
  struct Layer: Sendable {
    var assets: [Asset] = []
    /// The files that no device gets, by their index in the tree.
    var absent: [Int32] = []
  }

  /// An item of which a device gets only one variant.
  struct Asset: Sendable {
    /// The index of the asset's owner.
    let owner: Int32
    /// The index, in `kinds`, of the list of traits of the asset's variants.
    let kind: Int32
    /// The files of each variant, by their index in the tree.
    ///
    /// If variants have the same traits, the preferred variant comes first.
    let files: [[Int32]]
  }

  /// An asset as users see it: a set of a catalog, or a path inside a pack.
  struct Owner {
    /// The path of the set, or the path inside the pack.
    let name: String
    /// The place that findings about the asset have.
    let place: Place
    /// Whether a trait of a variant is unknown.
    ///
    /// Checks then cannot know which devices the variant is for.
    var hasUnknownTrait = false
  }

  private(set) var layers: [Layer] = []
  private(set) var owners: [Owner] = []
  /// The kinds of assets: the distinct lists of traits that the variants of an asset have.
  private(set) var kinds: [[Traits]] = []
  /// The indices of the files whose path in their pack is also the path of a file with other traits.
  package internal(set) var alternatives: Set<Int32> = []
  private var kindNumbers: [[Traits]: Int32] = [:]

  package init() {}

  /// Whether every device gets every file.
  package var isEmpty: Bool { layers.isEmpty }

  mutating func add(_ layer: Layer) {
    if !layer.assets.isEmpty || !layer.absent.isEmpty { layers.append(layer) }
  }

  mutating func add(_ owner: Owner) -> Int32 {
    owners.append(owner)
    return Int32(owners.count - 1)
  }

  mutating func asset(of owner: Int32, variants: [(traits: Traits, files: [Int32])]) -> Asset {
    Asset(owner: owner, kind: kind(variants.map(\.traits)), files: variants.map(\.files))
  }

  private mutating func kind(_ traits: [Traits]) -> Int32 {
    if let known = kindNumbers[traits] { return known }
    kinds.append(traits)
    kindNumbers[traits] = Int32(kinds.count - 1)
    return Int32(kinds.count - 1)
  }

  /// Returns, for each kind of asset, the index of the variant that a device gets; nil if the device gets no
  /// variant.
  package func picks(on device: DeviceClass) -> [Int?] { kinds.map { device.pick(from: $0) } }
}

// The files that a device does not get.
extension AssetVariants {
  /// Returns, for each file of the tree, whether a device does not get the file.
  package func isDropped(on device: DeviceClass, fileCount count: Int) -> [Bool] {
    isDropped(byPicks: picks(on: device), fileCount: count)
  }

  func isDropped(byPicks picks: [Int?], fileCount count: Int) -> [Bool] {
    var dropped = Array(repeating: false, count: count)
    var isOut = dropped
    for layer in layers {
      let members = [layer.absent] + layer.assets.flatMap(\.files)
      for file in members.joined() { isOut[Int(file)] = true }
      for asset in layer.assets {
        guard let pick = picks[Int(asset.kind)] else { continue }
        for file in asset.files[pick] { isOut[Int(file)] = false }
      }
      for file in members.joined() {
        if isOut[Int(file)] { dropped[Int(file)] = true }
        isOut[Int(file)] = false
      }
    }
    return dropped
  }

  /// Whether there can be a device that does not get a file.
  package func isMember(_ file: Int32) -> Bool {
    layers.contains { layer in
      layer.absent.contains(file) || layer.assets.contains { $0.files.contains { $0.contains(file) } }
    }
  }

  /// Returns the traits of the variants that a file belongs to, and the names of the assets; empty for a file
  /// that no device gets.
  package func variants(of file: Int32) -> [(owner: String, traits: Traits)] {
    layers.lazy.flatMap(\.assets).flatMap { asset -> [(owner: String, traits: Traits)] in
      asset.files.indices.filter { asset.files[$0].contains(file) }.map {
        (owners[Int(asset.owner)].name, kinds[Int(asset.kind)][$0])
      }
    }
  }
}

/// The rank of a variant for a device.
///
/// The lowest rank is the best. The properties are in the order in which a device compares traits.
private struct VariantRank: Comparable {
  let memory: Int
  let graphics: Int
  let scale: Int
  let gamut: Int
  let idiom: Int

  static func < (first: VariantRank, second: VariantRank) -> Bool {
    (first.memory, first.graphics, first.scale, first.gamut, first.idiom)
      < (second.memory, second.graphics, second.scale, second.gamut, second.idiom)
  }
}

// Chooses the best variant of an asset that a device can use.
extension DeviceClass {
  /// Returns the index of the variant that the device gets, given the traits of each variant; nil if the
  /// device can use none of the variants.
  ///
  /// If variants are equally good, the first of them is chosen.
  package func pick(from variants: [Traits]) -> Int? {
    variants.indices.filter { canUse(variants[$0]) }.min { rank(of: variants[$0]) < rank(of: variants[$1]) }
  }

  /// Whether the device can use a variant at all.
  package func canUse(_ traits: Traits) -> Bool {
    // A phone also uses variants for the screen of a car, because the phone draws on that screen.
    if let idiom = traits.idiom, idiom != self.idiom, idiom != .car || self.idiom != .phone { return false }
    if let memory = traits.memory, memory > self.memory { return false }
    if let graphics = traits.graphics, !self.graphics.contains(graphics) { return false }
    return traits.gamut != .p3 || gamut == .p3
  }

  /// Returns the rank of a usable variant, given its traits.
  private func rank(of traits: Traits) -> VariantRank {
    let graphicsRank = traits.graphics.flatMap(graphics.firstIndex) ?? graphics.count
    // The device's own scale is the best. After it come lower scales in descending order, higher scales in
    // ascending order, and then variants without a scale.
    let scaleRank = traits.scale.map { $0 <= scale ? scale - $0 : Traits.scales.upperBound + $0 } ?? .max
    let gamutRank = gamut == .sRGB || traits.gamut == .p3 ? 0 : traits.gamut == .sRGB ? 1 : 2
    return VariantRank(
      memory: -(traits.memory ?? 0), graphics: graphicsRank, scale: scaleRank, gamut: gamutRank,
      idiom: traits.idiom == nil ? 1 : 0)
  }
}
