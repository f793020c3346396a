import Model

/// A file that commands read or write under a fixed name, for the section FILES of the manual.
///
/// The argument, flag or command that uses the file declares it.
struct FileUsage: Sendable, Hashable {
  /// The path, in which a word in capitals is the value of an argument or a flag.
  let path: String
  /// The meaning of the file, without a full stop at the end; code is in backticks.
  let meaning: String

  private init(_ path: String, meaning: String) {
    self.path = path
    self.meaning = meaning
  }

  private static let manifestNames = "\(Manifest.fileName), \(Manifest.fileNameWithComments)"

  static let manifest = FileUsage(
    manifestNames,
    meaning: "the manifest, if you pass a folder or no manifest. Without an argument, packtool looks in the "
      + "current folder, and then in the folders above it")
  static let writtenManifest = FileUsage(Manifest.fileName, meaning: "the manifest that `init` writes")
  static let checkout = FileUsage(
    ".git, .hg, .svn",
    meaning: "the outermost folder above the manifest that contains one of these is the checkout. A root and "
      + "the targets of symlinks must be in the checkout, unless you pass `--root` or `--symlinks follow`")

  static let index = FileUsage(
    "DIR/\(PublishedNames.index)",
    meaning: "the index, which lists all packs. A build replaces it last, with one rename. The layouts "
      + "`xcode`, `hosted` and `background-assets` have other lists: `packtool help layouts`")
  static let contents = FileUsage(
    "DIR/contents.<digest>.json", meaning: "the contents list, with every file of the packs")
  static let packs = FileUsage("DIR/\(PublishedNames.packsFolder)/", meaning: "the packs")
  static let state = FileUsage(
    "DIR/\(PublishedNames.recordFolder)/",
    meaning:
      "the lock and the build cache, which speed up the next build. You can delete the folder while no "
      + "build is running. For layouts without an index, it also contains an `\(PublishedNames.index)` for "
      + "other commands")
  static let signature = FileUsage(
    "DIR/\(PublishedNames.signature)", meaning: "the signature of the index, in the format of minisign")
  static let patches = FileUsage(
    "DIR/\(PublishedNames.patchesFolder)/", meaning: "patches from earlier releases, with `--patch-from`")
  static let elsewhere = FileUsage(
    "DIR/elsewhere.<digest>.json", meaning: "the list of reused packs, which are not in DIR, with `--onto`")
  static let archives = FileUsage(
    "DIR/\(PublishedNames.archivesFolder)/",
    meaning: "the archives of packs for Background Assets, with `--package`")
  static let shard = FileUsage(
    "DIR/\(PublishedNames.shardFile)",
    meaning: "the list of a shard's packs, instead of the index, with `--shard`")
  static let inputShard = FileUsage(
    "SHARD/\(PublishedNames.shardFile)", meaning: "the list of a shard's packs")

  static let builtIndex = FileUsage(
    "\(PublishedNames.index), \(PublishedNames.sidecarIndex)",
    meaning: "the index in a built folder that you pass. In a layout without an index, packtool reads the "
      + "second file, which `build` wrote for this purpose")
  static let project = FileUsage(
    "App.xcodeproj/project.pbxproj",
    meaning:
      "the Xcode project. packtool also reads the asset catalogs and the settings (`.xcconfig`) of the "
      + "project")

  static let pagesOfCommands = FileUsage(
    "DIR/man1/", meaning: "the manual pages of packtool and of its commands, with `--output`")
  static let pagesOfFormats = FileUsage(
    "DIR/man5/", meaning: "the manual page of the manifest, with `--output`")
}
