import PackKit

/// What a command line says of how a build is laid out.
package struct LayoutChoice: Sendable {
  package var layout = Layout.packtool
  /// What stands in front of packs' names in the manifest that devices read.
  package var urlPrefix: String?
  /// Whether that manifest names packs inside the app.
  package var embedsPacks = false
  /// What tells devices that a pack changed.
  package var contentHash: ContentHash?

  package init(layout: Layout = .packtool) {
    self.layout = layout
  }

  /// What the choice says, or else the project that the manifest was made from.
  func settings(for manifest: Manifest, sourceDate: Int64?) throws(MissingURLPrefix) -> XcodeSettings {
    let prefix = urlPrefix ?? manifest.packURLPrefix ?? ""
    if layout == .hosted && urlPrefix == nil && prefix.isEmpty { throw MissingURLPrefix() }
    let location: PackLocation =
      if !prefix.isEmpty {
        .prefix(prefix)
      } else {
        embedsPacks || manifest.embedsPacks ? .app : .buildFolder
      }
    return XcodeSettings(location: location, contentHash: contentHash ?? .modtime, sourceDate: sourceDate)
  }
}

/// Devices could not be told where hosted packs are.
package struct MissingURLPrefix: Error {}
