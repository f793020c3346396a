package import Findings
import PackKit
package import Projects
package import System

extension OutputFolder {
  /// Findings about the output folder for this build.
  package func findings(about prepared: Preparation) throws(SystemError) -> [Diagnostic] {
    let place = Place(path)
    if let root = try prepared.root?.status().identity, root == (try identity) {
      let message =
        "the output folder is the root folder of the resources; choose another, such as \"build/packs\""
      return [Diagnostic(.outputIsRoot, message, at: place)]
    }
    if try isFile {
      return [Diagnostic(.foreignOutput, "\(quoted(path)) is a file; choose a folder to write to", at: place)]
    }
    if let other = try Layout.found(in: self), other != layout.kind {
      let message =
        "\(quoted(path)) holds a build in the layout \(quoted(other.rawValue)); choose another folder"
      return [Diagnostic(.foreignOutput, message, at: place)]
    }
    if try layout.isForeign(self) {
      let message = "\(quoted(indexPath)) was not written by packtool; choose another folder"
      return [Diagnostic(.foreignOutput, message, at: place)]
    }
    let unsafe = try unsafeParts
    if !unsafe.isEmpty { return unsafe.map(\.diagnostic) }
    return prepared.plan.map { clashes(with: $0) } ?? []
  }

  /// Findings about files at paths that the layout reserves in every pack.
  private func clashes(with plan: PackPlan) -> [Diagnostic] {
    let reserved = layout.reservedNames
    if reserved.isEmpty { return [] }
    return plan.tree.files.compactMap { file in
      // The file systems of most devices ignore case.
      let first = file.packPath.prefix { $0 != "/" }.lowercased()
      guard let name = reserved.first(where: { $0.lowercased() == first }) else { return nil }
      let message =
        "\(quoted(file.path)) lands at \(quoted(file.packPath)), where the layout \(quoted(layout.kind.rawValue)) has "
        + "the pack's own \(quoted(name)); give it another destination"
      return Diagnostic(.pathClash, message, at: plan.place(of: file))
    }
  }
}
