import Formats
package import Model

/// The variants among a tree's files: of each asset a device gets one, of files that are in no asset all.
package struct AssetVariants: Sendable {
  /// One way to say which files are alternatives; a file may be in an asset of each.
  struct Layer: Sendable {
    var assets: [Asset] = []
    /// The files that no device gets, by their index in the tree.
    var absent: [Int32] = []
  }

  /// One thing of which a device gets one variant.
  struct Asset: Sendable {
    /// The index of what it is a part of.
    let owner: Int32
    /// The index of its variants' traits.
    let kind: Int32
    /// The files of each variant by their index in the tree, the first of equal variants in front.
    let files: [[Int32]]
  }

  /// One asset to users: a set of a catalog, or a place inside a pack.
  struct Owner {
    /// The path of the set, or the path inside the pack.
    let name: String
    /// The place of findings about the asset.
    let place: Place
  }

  private(set) var layers: [Layer] = []
  private(set) var owners: [Owner] = []
  /// The traits of the variants of assets, each list once.
  private(set) var kinds: [[Traits]] = []
  /// The files that share a place in their pack with one of other traits, by their index in the tree.
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

  /// For each kind of asset the index of the variant that a device gets; nil for none.
  package func picks(on device: DeviceClass) -> [Int?] { kinds.map { device.pick(from: $0) } }
}

// Which files a device does not get.
extension AssetVariants {
  /// Whether a device lacks each file of the tree, of which there are `count`.
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

  /// Whether some device may lack a file.
  package func isMember(_ file: Int32) -> Bool {
    layers.contains { layer in
      layer.absent.contains(file) || layer.assets.contains { $0.files.contains { $0.contains(file) } }
    }
  }

  /// The traits of the variants that a file belongs to, with the owners' names; of a file that no device gets none.
  package func variants(of file: Int32) -> [(owner: String, traits: Traits)] {
    layers.lazy.flatMap(\.assets).flatMap { asset -> [(owner: String, traits: Traits)] in
      asset.files.indices.filter { asset.files[$0].contains(file) }.map {
        (owners[Int(asset.owner)].name, kinds[Int(asset.kind)][$0])
      }
    }
  }
}

/// How well a device can use a variant; the lowest is the best.
///
/// The traits are in the order in which a device looks them up.
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

// Which variant of an asset a device gets: what it cannot use is left out, of the rest the best is picked.
extension DeviceClass {
  /// The index of the variant that the device gets, by their traits, of equal ones the first; nil if it can use none.
  package func pick(from variants: [Traits]) -> Int? {
    variants.indices.filter { canUse(variants[$0]) }.min { rank(of: variants[$0]) < rank(of: variants[$1]) }
  }

  /// Whether the device can use a variant at all.
  package func canUse(_ traits: Traits) -> Bool {
    // A phone drives a car's screen.
    if let idiom = traits.idiom, idiom != self.idiom, idiom != .car || self.idiom != .phone { return false }
    if let memory = traits.memory, memory > self.memory { return false }
    if let graphics = traits.graphics, !self.graphics.contains(graphics) { return false }
    return traits.gamut != .p3 || gamut == .p3
  }

  /// The rank of a usable variant by its traits.
  private func rank(of traits: Traits) -> VariantRank {
    let graphicsRank = traits.graphics.flatMap(graphics.firstIndex) ?? graphics.count
    // The device's own scale, then lower ones downwards, then higher ones upwards, then none.
    let scaleRank = traits.scale.map { $0 <= scale ? scale - $0 : Traits.scales.upperBound + $0 } ?? .max
    let gamutRank = gamut == .sRGB || traits.gamut == .p3 ? 0 : traits.gamut == .sRGB ? 1 : 2
    return VariantRank(
      memory: -(traits.memory ?? 0), graphics: graphicsRank, scale: scaleRank, gamut: gamutRank,
      idiom: traits.idiom == nil ? 1 : 0)
  }
}
