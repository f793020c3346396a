/// The folders in which an input can refer to files: the input's own folder, and an outer folder.
///
/// The outer folder is the checkout that contains the input, or another folder that the user specifies.
package struct InputBounds: Sendable {
  /// The folder that contains the input.
  package let folder: RealPath
  /// The checkout that contains the input, or the folder that the user specifies; nil if there is neither.
  package let outer: RealPath?

  /// Creates the bounds of an input in a folder.
  ///
  /// `requestedRoot` is the outer folder that the user specifies; nil means the checkout.
  package init(ofInputsIn folder: String, requestedRoot: String?) throws(SystemError) {
    self.folder = try RealPath(of: folder)
    outer =
      if let requestedRoot { try RealPath(of: requestedRoot) } else {
        try Checkout(around: self.folder)?.folder
      }
  }

  /// Creates the bounds of an input that can only refer to files in its own folder.
  package init(ownFolder folder: String) throws(SystemError) {
    self.folder = try RealPath(of: folder)
    outer = self.folder
  }

  /// Whether a path is within the bounds.
  ///
  /// If there is no outer folder, every path is within the bounds.
  package func contains(_ path: RealPath) -> Bool {
    guard let outer else { return true }
    return folder.contains(path) || outer.contains(path)
  }
}
