import Findings
package import PackKit
import System

/// A layout of the output folder; the raw value is its name in flags.
package enum Layout: String, Sendable, CaseIterable {
  /// Packs named by their digest, with an index.
  case packtool
  /// The output of Xcode: folders of packs and property lists.
  case xcode
  /// Zipped packs for a plain web server, with the manifest that devices read.
  case hosted
  /// Folders of packs with manifests for `ba-package`, and the tags as Swift code.
  case backgroundAssets = "background-assets"

  /// The profile whose limits the packs are checked against where nothing else is asked for; nil for the manifest's.
  package var profile: LimitProfile? {
    switch self {
    case .packtool, .xcode, .hosted: nil
    case .backgroundAssets: .backgroundAssets
    }
  }

  /// Whether devices put the files of all packs into one folder.
  package var sharesPaths: Bool { profile?.sharesPaths ?? false }

  /// Why parts of a build cannot be made apart, and what to do, for the end of a message; nil if they can.
  package var reasonAgainstParts: String? {
    switch self {
    case .packtool, .xcode, .hosted: nil
    case .backgroundAssets:
      "its packs are plain copies, soon made; build it whole, and share the calls of ba-package in package.sh"
    }
  }
}
