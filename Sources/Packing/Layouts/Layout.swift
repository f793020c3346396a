import Findings
import PackKit
import System

/// What stands where in an output folder; the raw value is its name in flags.
package enum Layout: String, Sendable, CaseIterable {
  /// Packs that are named by their digest, with an index.
  case packtool
  /// What Xcode's build leaves: folders of packs and property lists.
  case xcode
  /// Zipped packs for a plain web server, with the manifest that devices read.
  case hosted

  /// The type that knows the layout, which is asked for everything else.
  func type(_ settings: XcodeSettings) -> any PackLayout {
    switch self {
    case .packtool: PacktoolLayout()
    case .xcode: XcodeLayout(settings: settings)
    case .hosted: HostedLayout(settings: settings)
    }
  }

  /// The layout of the build that stands in a folder; nil where none does.
  static func found(in folder: OutputFolder) throws(SystemError) -> Layout? {
    for layout in allCases where try layout.type(XcodeSettings()).stands(in: folder) { return layout }
    return nil
  }
}

/// How one layout names what a build publishes, what it adds to packs, and how it publishes.
protocol PackLayout: Sendable {
  var kind: Layout { get }
  /// The folder of the packs below the output folder; "." for that folder itself.
  var packsFolder: String { get }
  /// The published file that is there whenever a build is.
  var indexName: String { get }
  /// The names of files that other settings of this layout publish, and that contradict those of this build.
  var staleNames: [String] { get }
  /// Names at the top of a pack that are the layout's own.
  var reservedNames: [String] { get }
  /// Whether a pack or list has the same name whatever it holds, so that publishing replaces it.
  var replacesInPlace: Bool { get }
  /// Whether files in packs keep the times of those that they were made from.
  var keepsTimes: Bool { get }

  /// The container of the packs, where a manifest names one.
  func container(_ chosen: Container) -> Container
  /// The compression of the packs, where a manifest or a flag names one.
  func compression(_ chosen: Compression) -> Compression
  /// All that the bytes of packs depend on besides their files, the container and the compression.
  func key(for manifest: Manifest) -> String
  /// The description that a pack has at its top; nil where it has none of its own.
  func info(of pack: AssetPack) -> PackInfo?
  /// What stands in a zipped pack besides its files; nil where nothing does.
  func frame(of pack: AssetPack, _ files: [AssetFile]) -> HostedFrame?

  /// What a pack is called in its folder; `digest` is the short one of its archive.
  func fileName(ofPack name: String, digest: String, in container: Container) -> String
  /// Whether a name has the form of a pack's.
  func mayBePack(_ name: String) -> Bool
  /// Whether a name that has the form of a pack's is one of a pack that is a folder.
  func mayBeFolder(_ name: String) -> Bool
  /// Whether a name has the form of a list that each build publishes under another name.
  func mayBeList(_ name: String) -> Bool
  /// Whether a build in this layout stands in a folder.
  func stands(in folder: OutputFolder) throws(SystemError) -> Bool
  /// Whether another program's index stands where this layout has its own.
  func isForeign(_ folder: OutputFolder) throws(SystemError) -> Bool
  /// The packs and lists that the current index names, relative to the folder.
  func publishedPaths(in folder: OutputFolder) throws(SystemError) -> [String]

  /// Gives what was written its names; the file that readers look at first gets its name last.
  func publish(_ build: UnpublishedBuild) throws -> Publication
  /// Whether the files that readers look at first are those that a build of these packs would publish.
  func isPublished(_ release: Release, _ plan: PackPlan, _ settings: PackSettings, in folder: OutputFolder)
    throws(SystemError) -> Bool
}

extension PackLayout {
  var staleNames: [String] { [] }
  var reservedNames: [String] { [] }
  var keepsTimes: Bool { false }

  func compression(_ chosen: Compression) -> Compression { chosen }
  func info(of pack: AssetPack) -> PackInfo? { nil }
  func frame(of pack: AssetPack, _ files: [AssetFile]) -> HostedFrame? { nil }
  func mayBeList(_ name: String) -> Bool { false }

  /// Whether a name is one that packtool gives a pack of an app.
  func isPackName(_ name: String, of bundleIdentifier: String) -> Bool {
    name.hasPrefix(bundleIdentifier + ".") && mayBePack(name)
  }

  /// Where a pack stands below the output folder.
  func path(ofPack name: String, _ pack: WrittenPack, in container: Container) -> String {
    joined(packsFolder, fileName(ofPack: name, digest: pack.archive.digest.short, in: container))
  }
}

/// Whether a name ends in so many lower-case hex digits behind a mark.
func ends(_ name: Substring, in digits: Int, behind mark: Character) -> Bool {
  let digest = name.suffix(digits)
  return digest.count == digits && digest.allSatisfy { $0.isASCII && $0.isHexDigit && !$0.isUppercase }
    && name.dropLast(digits).last == mark
}
