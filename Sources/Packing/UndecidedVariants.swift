import Findings
import PackKit
import Projects

extension BuildRequest {
  /// The finding on files that want one place in a pack, of which only a build for one class of devices has one.
  func undecidedVariants(of plan: PackPlan?) -> [Diagnostic] {
    guard let plan, input.device == nil, let file = plan.tree.variants.alternatives.min() else { return [] }
    let asset = plan.tree.files[Int(file)]
    let count = plan.tree.variants.alternatives.count
    let hint =
      switch layout.layout {
      case .packtool: "name the devices to build for with --device"
      case .xcode, .hosted, .backgroundAssets:
        "the layout \(quoted(layout.layout.rawValue)) is for all devices: put the variants into an asset catalog, or to "
          + "places of their own"
      }
    let message =
      "\(counted(count, "file")) are variants for one place in a pack, such as \(quoted(asset.path)) for "
      + "\(quoted(asset.packPath)); \(hint)"
    return [Diagnostic(.pathClash, message, at: plan.place(of: asset))]
  }
}
