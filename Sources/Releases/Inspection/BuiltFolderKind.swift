import Findings
import PackKit
package import System

/// A kind of built folder, told by the lists that are in it.
package enum BuiltFolderKind: Sendable {
  /// Packs with an index of packtool; also what has no list at all.
  case packtool
  /// Packs with Apple's property lists, made by any program: a folder, an app, an .xcarchive or an .ipa.
  case apple
  /// Packs with manifests of Background Assets.
  case backgroundAssets

  /// Looks for the lists.
  ///
  /// - Throws: if the disk fails.
  package init(of argument: String) throws(SystemError) {
    let path = trimmed(argument)
    func has(_ name: String) throws(SystemError) -> Bool { try FileOperations.exists(joined(path, name)) }
    if path.hasSuffix(ArchivedApp.suffix) {
      self = try FileOperations.statusIfThere(path)?.kind == .file ? .apple : .packtool
    } else if try has(PublishedNames.index) {
      self = .packtool
    } else if try has(PublishedNames.tags), try has(PublishedNames.manifestsFolder) {
      self = .backgroundAssets
    } else {
      self = try ExportPlaces(in: path) == nil ? .packtool : .apple
    }
  }
}
