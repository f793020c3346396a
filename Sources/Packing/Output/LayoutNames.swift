import Formats
import Model
import Pipeline
import System

/// The places of a layout: the names of published files, and additions to packs.
protocol LayoutNames: Sendable {
  var kind: Layout { get }
  /// The folder of the packs, relative to the output folder; "." for that folder itself.
  var packsFolder: String { get }
  /// The published file that exists in every build of this layout.
  var indexName: String { get }
  /// The names of files that other settings of this layout publish, which would contradict this build.
  var staleNames: [String] { get }
  /// Folders besides that of the packs that a build makes, relative to the output folder.
  var folders: [String] { get }
  /// Folders that a build does not make, but removes files from.
  var otherFolders: [String] { get }
  /// Names at the top of a pack that the layout reserves.
  var reservedNames: [String] { get }
  /// Whether the names of packs and lists are independent of their content, so that publishing replaces files.
  var replacesInPlace: Bool { get }
  /// Whether files in packs keep the times of their sources.
  var keepsTimes: Bool { get }

  /// Whether builds leave an index beside the record, where the layout has none that commands read.
  var leavesIndex: Bool { get }

  func container(_ chosen: Container) -> Container
  func compression(_ chosen: Compression) -> Compression
  /// Everything that the bytes of packs depend on besides files, container and compression.
  func key(for manifest: Manifest) -> [SettingsKey.Part]
  /// The Info.plist at the top of a pack; nil if the layout has none.
  func info(of pack: AssetPack) -> ByteBuffer?
  /// The additional entries of a zipped pack; nil if there are none.
  func frame(of pack: AssetPack, _ files: [AssetFile]) -> HostedFrame?

  /// The plan with the paths that files have inside packs of the layout.
  func arranged(_ plan: PackPlan) -> PackPlan
  /// Findings about a plan that only this layout has.
  func findings(about plan: PackPlan) -> [Diagnostic]

  /// The file name of a pack; `digest` is the short digest of its archive.
  func fileName(of pack: AssetPack, digest: String, in container: Container) -> String
  /// Whether a file name has the form of a pack's.
  func mayBePack(_ name: String) -> Bool
  /// Whether a name of that form belongs to a pack that is a folder.
  func mayBeFolder(_ name: String) -> Bool
  /// Whether a file name has the form of a list that is named by its digest.
  func mayBeList(_ name: String) -> Bool
  /// Whether a folder contains a build in this layout.
  func stands(in folder: OutputFolder) throws(SystemError) -> Bool
  /// A file that the first build in a folder would replace, but that another program has made.
  func foreignFile(in folder: OutputFolder) throws(SystemError) -> String?
  /// The app whose packs the folder has; nil where its files do not say.
  func bundleIdentifier(in folder: OutputFolder) throws(SystemError) -> String?
  /// The paths of packs and lists that the current index names, relative to the folder.
  func publishedPaths(in folder: OutputFolder) throws(SystemError) -> [String]
  /// The digests of archives that the current index states, by path; empty if it states none.
  func publishedDigests(in folder: OutputFolder) throws(SystemError) -> [String: Digest]

  /// The paths of files that are to be removed along with packs of older builds, relative to the folder.
  func leftovers(
    of removed: [String], except release: Release, in folder: OutputFolder
  ) throws(SystemError) -> [String]
}

extension LayoutNames {
  var staleNames: [String] { [] }
  var reservedNames: [String] { [] }
  var keepsTimes: Bool { false }
  var folders: [String] { [] }
  var otherFolders: [String] { [] }

  func foreignFile(in folder: OutputFolder) throws(SystemError) -> String? { nil }
  func arranged(_ plan: PackPlan) -> PackPlan { plan }
  func findings(about plan: PackPlan) -> [Diagnostic] { [] }
  func leftovers(
    of removed: [String], except release: Release, in folder: OutputFolder
  ) throws(SystemError) -> [String] { [] }
  func compression(_ chosen: Compression) -> Compression { chosen }
  func info(of pack: AssetPack) -> ByteBuffer? { nil }
  func frame(of pack: AssetPack, _ files: [AssetFile]) -> HostedFrame? { nil }
  func mayBeList(_ name: String) -> Bool { false }
  func bundleIdentifier(in folder: OutputFolder) throws(SystemError) -> String? { nil }
  func publishedDigests(in folder: OutputFolder) throws(SystemError) -> [String: Digest] { [:] }

  /// Whether a file name is one that packtool gives to packs of this app.
  ///
  /// One of an app whose identifier only begins with this one has a digest of other tags.
  func isPackName(_ name: String, of bundleIdentifier: String) -> Bool {
    guard name.hasPrefix(bundleIdentifier + "."), mayBePack(name), let mark = name.lastIndex(of: "-") else {
      return false
    }
    let tags = name[..<mark].dropFirst(bundleIdentifier.count + 1)
      .split(separator: "+", omittingEmptySubsequences: false).map(String.init)
    return name.hasPrefix(PackIdentity(tags: tags, bundleIdentifier: bundleIdentifier).name)
  }

  /// The path of a pack, relative to the output folder.
  func path(of pack: AssetPack, _ archive: WrittenFile, in container: Container) -> String {
    joined(packsFolder, fileName(of: pack, digest: archive.digest.short, in: container))
  }
}

/// Whether a name ends in a mark followed by this many lower-case hex digits.
func ends(_ name: Substring, in digits: Int, behind mark: Character) -> Bool {
  let digest = name.suffix(digits)
  return digest.count == digits && digest.allSatisfy { $0.isASCII && $0.isHexDigit && !$0.isUppercase }
    && name.dropLast(digits).last == mark
}
