package import Formats
import Model
package import Pipeline
import System

extension LayoutChoice {
  /// Returns findings about files that packs of the layout cannot contain.
  ///
  /// Commands that do not write packs call this function.
  ///
  /// - Throws: `MissingURLPrefix`, or another error if an ID lockfile or a version lockfile exists but cannot
  ///   be read.
  package func findings(about prepared: Preparation) throws -> [Diagnostic] {
    guard let manifest = prepared.manifest else { return [] }
    let settings = PackSettings(
      container: manifest.container, entryTime: 0, layout: layout,
      xcode: try settings(for: manifest, sourceDate: nil))
    guard let plan = prepared.plan else { return [] }
    let layout = try packLayout(for: plan, settings: settings, signing: nil, output: nil)
    return prepared.findings(for: layout, devices: isForEachDevice ? .each : .asPlanned)
  }
}

/// The devices that packs are for.
enum PlannedDevices {
  /// The packs are for the device class that the plan was made for, or for all devices.
  case asPlanned
  /// Each device class gets its own packs.
  case each
}

extension Preparation {
  /// Returns all findings about a plan that depend only on the layout of its packs and on their device class.
  ///
  /// `build`, `validate` and `plan` all call this function, and therefore accept and refuse the same plans.
  func findings(for layout: any PackLayout, devices: PlannedDevices = .asPlanned) -> [Diagnostic] {
    guard let plan else { return [] }
    let isForAll = slice?.device == nil && !(devices == .each && layout.files.layout.hasIndex)
    let undecided = isForAll ? plan.undecidedVariants(in: layout.files.layout) : []
    return undecided + plan.reservedPlaces(of: layout) + layout.findings(about: plan)
  }
}

extension PackPlan {
  /// Reports variants with the same path in a pack, because a pack for all devices can contain only one file
  /// at a path.
  fileprivate func undecidedVariants(in layout: Layout) -> [Diagnostic] {
    let alternatives = tree.variants.alternatives
    guard let number = alternatives.min() else { return [] }
    let file = tree.files[Int(number)]
    let other = alternatives.filter { $0 != number && isSamePlace($0, number) }.min()
    let others = other.map { " and \(quoted(tree.files[Int($0)].path))" } ?? ""
    let message =
      "\(counted(alternatives.count, of: "variant")) share a path in a pack with other variants, such as "
      + "\(quoted(file.path))\(others) at \(quoted(file.packPath)); \(layout.description.hintOnVariants)"
    return [Diagnostic(.pathClash, message: message, at: place(of: file), severityRule: .cannotBeLowered)]
  }

  /// Whether two files, given by their index in the tree, have the same path in the same pack.
  private func isSamePlace(_ first: Int32, _ second: Int32) -> Bool {
    let (one, other) = (tree.files[Int(first)], tree.files[Int(second)])
    return one.tagSet == other.tagSet && one.packPath.isSameInBytes(as: other.packPath)
  }

  /// Returns findings about files at paths that a layout reserves in every pack.
  fileprivate func reservedPlaces(of layout: any PackLayout) -> [Diagnostic] {
    let reserved = layout.files.reservedNames
    if reserved.isEmpty { return [] }
    return tree.files.compactMap { file in
      // The name is compared in lower case, because the file systems of most devices ignore case.
      let first = file.packPath.prefix { $0 != "/" }.lowercased()
      guard let name = reserved.first(where: { $0.lowercased() == first }) else { return nil }
      let message =
        "the path of \(quoted(file.path)) in its pack is \(quoted(file.packPath)), but the layout "
        + "\(quoted(layout.files.layout.rawValue)) reserves the name \(quoted(name)) in every pack; give the "
        + "file another destination"
      return Diagnostic(.pathClash, message: message, at: place(of: file), severityRule: .cannotBeLowered)
    }
  }
}
