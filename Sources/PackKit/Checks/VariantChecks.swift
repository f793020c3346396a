import Findings
import Formats

/// Checks of variants: whether each asset reaches every device.
extension FileCheck {
  static let variants: [FileCheck] = [noVariant, gamutFallback, memoryFallback, rootInCatalog]

  static let rootInCatalog = FileCheck(.rootInCatalog) { input in
    let root = input.plan.manifest.root
    let names = root.value.split(separator: "/")
    guard let depth = names.firstIndex(where: { isCatalog($0) }) else { return [] }
    let above = depth == 0 ? "." : names[..<depth].joined(separator: "/")
    let message =
      "the root \(quoted(root.value)) lies inside an asset catalog, so none of its files is a variant; make it "
      + "\(quoted(above)) and put the rest in front of the rules' paths"
    return [Diagnostic(.rootInCatalog, message, at: input.plan.manifest.text.place(at: root.offset))]
  }

  static let noVariant = FileCheck(.noVariant) { input in
    let variants = input.plan.tree.variants
    let devices = input.devices
    if variants.isEmpty || devices.isEmpty { return [] }
    // By the class of devices, then by the kind of asset.
    let picks = devices.map(variants.picks)
    var reached: [Int32: [Bool]] = [:]
    for asset in variants.assets where !variants.isForCars(asset) {
      var own = reached[asset.owner] ?? Array(repeating: false, count: devices.count)
      for device in devices.indices where picks[device][Int(asset.kind)] != nil { own[device] = true }
      reached[asset.owner] = own
    }
    return reached.sorted { $0.key < $1.key }.compactMap { number, reached in
      let lacking = devices.indices.filter { !reached[$0] }.map { devices[$0] }
      return lacking.isEmpty ? nil : noVariant(of: variants.owners[Int(number)], lacking, of: devices.count)
    }
  }

  private static func noVariant(
    of owner: AssetVariants.Owner, _ lacking: [DeviceClass], of count: Int
  ) -> Diagnostic {
    let message =
      "nothing of the asset \(quoted(owner.name)) reaches \(grouped(lacking.count)) of "
      + "\(counted(count, "device class", plural: "device classes")), such as \(quoted(lacking[0].name))"
    return Diagnostic(.noVariant, message, at: owner.place)
  }

  static let gamutFallback = FileCheck(.gamutFallback) { input in
    input.assets { $0.contains { $0.gamut == .p3 } && $0.allSatisfy { $0.gamut == .p3 } }.map { owner in
      let message =
        "every variant of the asset \(quoted(owner.name)) is for P3, so screens of sRGB get nothing; add one for sRGB"
      return Diagnostic(.gamutFallback, message, at: owner.place)
    }
  }

  static let memoryFallback = FileCheck(.memoryFallback) { input in
    input.assets { $0.allSatisfy { $0.memory != nil } }.map { owner in
      let message =
        "every variant of the asset \(quoted(owner.name)) wants memory, so devices with less get nothing; add one "
        + "without \"memory\""
      return Diagnostic(.memoryFallback, message, at: owner.place)
    }
  }
}

extension FileCheck.Input {
  /// The name of an asset, once, where a list of variants' traits is as it should not be.
  fileprivate func assets(where isWrong: ([Traits]) -> Bool) -> [AssetVariants.Owner] {
    let variants = plan.tree.variants
    let wrong = Set(variants.kinds.indices.filter { isWrong(variants.kinds[$0]) })
    if wrong.isEmpty { return [] }
    let owners = Set(variants.assets.lazy.filter { wrong.contains(Int($0.kind)) }.map(\.owner))
    return owners.sorted().map { variants.owners[Int($0)] }
  }
}

extension AssetVariants {
  /// The assets of all layers.
  fileprivate var assets: [Asset] { layers.flatMap(\.assets) }

  fileprivate func isForCars(_ asset: Asset) -> Bool {
    kinds[Int(asset.kind)].allSatisfy { $0.idiom == .car }
  }
}
