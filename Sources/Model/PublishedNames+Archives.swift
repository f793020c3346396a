package import System

extension PublishedNames {
  /// Returns the path of a pack, relative to the output folder, in the layout `packtool`.
  package static func archive(ofPack name: String, digest: Digest, in container: Container) -> String {
    "\(packsFolder)/\(fileName(ofPack: name, digest: digest.short, in: container))"
  }

  /// Returns a pack's file name in the layout `packtool`.
  ///
  /// `digest` is the short digest of its archive.
  package static func fileName(ofPack name: String, digest: String, in container: Container) -> String {
    "\(name).\(digest)\(container.suffix)"
  }
}
