/// The folders that an input may name: its own with all below it, and those of the checkout around it, or of another
/// folder that the user names instead.
package struct InputBounds: Sendable {
  /// The folder of the input.
  package let folder: RealPath
  /// The checkout around it, or the folder that the user names; nil if there is neither.
  package let outer: RealPath?

  /// The bounds of an input in a folder; `requestedRoot` is the folder that the user names, nil for the checkout.
  package init(ofInputsIn folder: String, requestedRoot: String?) throws(SystemError) {
    self.folder = try RealPath(of: folder)
    outer =
      if let requestedRoot { try RealPath(of: requestedRoot) } else {
        try Checkout(around: self.folder)?.folder
      }
  }

  /// The bounds of an input that may only name what is in its own folder.
  package init(ownFolder folder: String) throws(SystemError) {
    self.folder = try RealPath(of: folder)
    outer = self.folder
  }

  /// Whether a path is within the bounds; any path is if there is no outer folder.
  package func hold(_ path: RealPath) -> Bool {
    guard let outer else { return true }
    return folder.holds(path) || outer.holds(path)
  }
}
