import Formats
package import System

extension PublishedNames {
  /// Returns the path of a pack, relative to the output folder, in a layout with an index.
  package static func archive(
    ofPack name: String, digest: Digest, in container: Container, layout: Layout = .packtool
  ) -> String {
    joined(layout.packsFolder, fileName(ofPack: name, digest: digest.short, in: container))
  }

  /// Returns a pack's file name in a layout with an index.
  ///
  /// `digest` is the short digest of its archive.
  package static func fileName(ofPack name: String, digest: String, in container: Container) -> String {
    "\(name).\(digest)\(container.suffix)"
  }
}
