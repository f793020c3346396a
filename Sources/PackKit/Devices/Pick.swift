// Which variant of an asset a device gets: what it cannot use is left out, of the rest the best is picked.
extension DeviceClass {
  /// The index of the variant that the device gets, by the variants' traits; nil if it can use none.
  ///
  /// Of equal ones the first.
  package func pick(from variants: [Traits]) -> Int? {
    var best: Int?
    for (index, traits) in variants.enumerated() where canUse(traits) {
      if let last = best, !isBetter(traits, than: variants[last]) { continue }
      best = index
    }
    return best
  }

  /// Whether the device can use a variant at all.
  package func canUse(_ traits: Traits) -> Bool {
    // A phone drives a car's screen.
    if let idiom = traits.idiom, idiom != self.idiom, idiom != .car || self.idiom != .phone { return false }
    if let memory = traits.memory, memory > self.memory { return false }
    if let graphics = traits.graphics, !self.graphics.contains(graphics) { return false }
    return traits.gamut != .p3 || gamut == .p3
  }

  private func isBetter(_ traits: Traits, than other: Traits) -> Bool {
    for rank in Self.comparisons {
      let ranks = (rank(traits, self), rank(other, self))
      if ranks.0 != ranks.1 { return ranks.0 < ranks.1 }
    }
    return false
  }

  /// The rank of a usable variant on a device; the lowest is the best.
  private typealias Rank = @Sendable (Traits, DeviceClass) -> Int

  /// What variants are compared by, the most important first: the order in which a device looks them up.
  private static let comparisons: [Rank] = [memoryRank, graphicsRank, scaleRank, gamutRank, idiomRank]

  private static let memoryRank: Rank = { traits, _ in -(traits.memory ?? 0) }

  private static let graphicsRank: Rank = { traits, device in
    traits.graphics.flatMap(device.graphics.firstIndex) ?? device.graphics.count
  }

  /// The device's own scale, then lower ones downwards, then higher ones upwards, then none.
  private static let scaleRank: Rank = { traits, device in
    guard let scale = traits.scale else { return .max }
    let most = Traits.scales.upperBound
    return scale <= device.scale ? device.scale - scale : most + scale
  }

  private static let gamutRank: Rank = { traits, device in
    if device.gamut == .sRGB { return 0 }
    return switch traits.gamut {
    case .p3: 0
    case .sRGB: 1
    case nil: 2
    }
  }

  private static let idiomRank: Rank = { traits, _ in traits.idiom == nil ? 1 : 0 }
}
