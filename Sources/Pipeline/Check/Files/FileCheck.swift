package import Formats
package import Model
package import System

/// A check of a plan's files: their names, their tags or their paths inside packs.
package struct FileCheck: Sendable {
  /// The input of a check.
  package struct Input: Sendable {
    package let plan: PackPlan
    /// The number of threads that a check may use.
    package let jobs: Int
    /// The device classes that are checked.
    package let devices: [DeviceClass]

    package init(plan: PackPlan, jobs: Int = 1, devices: [DeviceClass] = []) {
      self.plan = plan
      self.jobs = jobs
      self.devices = devices
    }

    /// The tagged files by folder.
    ///
    /// Each access computes them from all files.
    var folders: [FolderFiles] { plan.tree.files.byFolder }
  }

  /// The checks whose findings this value reports.
  package let kinds: [Check]
  /// Returns all findings of the check.
  package let find: @Sendable (Input) -> [Diagnostic]

  package init(_ kinds: Check..., find: @escaping @Sendable (Input) -> [Diagnostic]) {
    self.kinds = kinds
    self.find = find
  }

  /// All checks of files that do not read the files.
  package static let all: [FileCheck] = unconditional + dependentOnRules
  /// The checks whose findings are right even if a rule of the manifest is wrong.
  static let unconditional: [FileCheck] = [tooManyTags] + paths + variants
  /// The checks that draw conclusions from the plan.
  ///
  /// They run only if all rules are right.
  private static let dependentOnRules = [untaggedFolders, rawCatalogs]
}

extension PackPlan {
  /// Whether to run the checks that need all rules to be right.
  package enum RuleDependentChecks: Sendable {
    case run
    /// The checks do not run, because some rules are wrong.
    case skipped
  }

  /// Returns all findings about files that can be found without inspecting the files' contents.
  package func fileFindings(
    for devices: [DeviceClass], root: Folder, unchanged: UnchangedFiles, readCounter: ReadCounter, jobs: Int,
    dependentChecks: RuleDependentChecks
  ) throws(SystemError) -> [Diagnostic] {
    let input = FileCheck.Input(plan: self, jobs: jobs, devices: devices)
    let findings = (dependentChecks == .run ? FileCheck.all : FileCheck.unconditional).flatMap {
      $0.find(input)
    }
    // The check for duplicate content must read files, so it does not run if the manifest ignores its
    // findings.
    if manifest.severities[Check.duplicateContent.id] == .ignore { return findings }
    let content = DuplicateContent(
      plan: self, root: root, known: unchanged.digests(of: self), readCounter: readCounter)
    return try findings + content.findings(jobs: jobs)
  }
}

/// Checks of variants: whether each asset reaches every device.
extension FileCheck {
  static let variants: [FileCheck] = [noVariant, gamutFallback, memoryFallback, rootInCatalog]

  static let rootInCatalog = FileCheck(.rootInCatalog) { input in
    let root = input.plan.manifest.root
    let names = root.value.split(separator: "/")
    guard let depth = names.firstIndex(where: { isCatalog($0) }) else { return [] }
    let above = depth == 0 ? "." : names[..<depth].joined(separator: "/")
    let message =
      "the root \(quoted(root.value)) is inside an asset catalog, so packtool treats none of its files as a "
      + "variant; set the root to \(quoted(above)), and begin the rules' paths with the rest of the old root"
    return [Diagnostic(.rootInCatalog, message: message, at: input.plan.manifest.text.place(at: root.offset))]
  }

  static let noVariant = FileCheck(.noVariant) { input in
    let variants = input.plan.tree.variants
    let devices = input.devices
    if variants.isEmpty || devices.isEmpty { return [] }
    // For each device class, the variant of each asset that the class gets.
    let picks = devices.map(variants.picks)
    var reached: [Int32: [Bool]] = [:]
    for asset in variants.assets where !variants.isForCars(asset) {
      var own = reached[asset.owner] ?? Array(repeating: false, count: devices.count)
      for device in devices.indices where picks[device][Int(asset.kind)] != nil { own[device] = true }
      reached[asset.owner] = own
    }
    return reached.sorted { $0.key < $1.key }.compactMap { number, reached in
      let lacking = devices.indices.filter { !reached[$0] }.map { devices[$0] }
      return lacking.isEmpty
        ? nil : noVariant(of: variants.owners[Int(number)], lacking: lacking, of: devices.count)
    }
  }

  private static func noVariant(
    of owner: AssetVariants.Owner, lacking: [DeviceClass], of count: Int
  ) -> Diagnostic {
    let message =
      "the asset \(quoted(owner.name)) has no variant for \(grouped(lacking.count)) of "
      + "\(counted(count, of: "device class", plural: "device classes")), such as \(quoted(lacking[0].name))"
    return Diagnostic(.noVariant, message: message, at: owner.place)
  }

  static let gamutFallback = fallback(
    .gamutFallback, claim: "is for P3, so devices with sRGB screens get no variant; add a variant for sRGB"
  ) {
    $0.contains { $0.gamut == .p3 } && $0.allSatisfy { $0.gamut == .p3 }
  }

  static let memoryFallback = fallback(
    .memoryFallback,
    claim: "requires memory, so devices with less memory get no variant; add a variant without \"memory\""
  ) { $0.allSatisfy { $0.memory != nil } }

  /// Creates a check that reports an asset if all its variants need a feature that some devices do not have.
  private static func fallback(
    _ check: Check, claim: String, where isWrong: @escaping @Sendable ([Traits]) -> Bool
  ) -> FileCheck {
    FileCheck(check) { input in
      input.assets(where: isWrong).map { owner in
        Diagnostic(
          check, message: "every variant of the asset \(quoted(owner.name)) \(claim)", at: owner.place)
      }
    }
  }
}

extension FileCheck.Input {
  /// Returns the assets for whose traits `isWrong` is true, each asset once.
  ///
  /// `isWrong` gets the traits of all variants of an asset.
  fileprivate func assets(where isWrong: ([Traits]) -> Bool) -> [AssetVariants.Owner] {
    let variants = plan.tree.variants
    let wrong = Set(variants.kinds.indices.filter { isWrong(variants.kinds[$0]) })
    if wrong.isEmpty { return [] }
    let owners = Set(variants.assets.lazy.filter { wrong.contains(Int($0.kind)) }.map(\.owner))
    // A variant with an unknown trait may be the one that is missing, and has its own finding.
    return owners.sorted().map { variants.owners[Int($0)] }.filter { !$0.hasUnknownTrait }
  }
}

extension AssetVariants {
  fileprivate var assets: [Asset] { layers.flatMap(\.assets) }

  fileprivate func isForCars(_ asset: Asset) -> Bool {
    kinds[Int(asset.kind)].allSatisfy { $0.idiom == .car }
  }
}

extension FileCheck {
  /// Reports folders without tags that the user probably forgot, unless each of their files already has a
  /// finding.
  static let untaggedFolders = FileCheck(.untaggedFolder) { input in
    let manifest = input.plan.manifest
    let mayBeForgotten = input.plan.tree.untagged.files > 0 && manifest.bundledFiles == nil
    return manifest.untagged == .allow && mayBeForgotten ? UntaggedFolders(of: input).findings : []
  }
}

/// Reports asset catalogs that the rules of a manifest match.
///
/// For Xcode projects, the reader of projects reports asset catalogs itself.
extension FileCheck {
  static let rawCatalogs = FileCheck(.uncompiledCatalog) { input in
    let plan = input.plan
    if plan.manifest.bundledFiles != nil || !plan.tree.mayHaveCatalogs { return [] }
    var counts: [ByteKey: Int] = [:]
    for folder in input.folders where folder.path != "." {
      let path = String(folder.path)
      let catalog = (foldersAbove(path) + [path]).first { isCatalog(lastName(of: $0)) }
      if let catalog { counts[ByteKey(catalog), default: 0] += folder.files.count }
    }
    return counts.sorted { $0.key.text.precedesInBytes($1.key.text) }.map { catalog, count in
      Diagnostic(
        .uncompiledCatalog,
        message:
          "\(counted(count, of: "file")) of the catalog \(quoted(catalog.text)) \(count == 1 ? "is" : "are") "
          + "packed unchanged, but Xcode would compile an Assets.car; an app must read such files by their "
          + "paths, not by image names",
        at: Place(joined(plan.manifest.rootPath, escaped(catalog.text, upTo: 300))))
    }
  }
}

/// Folders in which no file has tags, next to folders in which all files have tags.
private struct UntaggedFolders {
  /// The minimum number of tagged folders that makes a folder without tags suspicious.
  private static let minTaggedFolders = 3

  private let plan: PackPlan
  /// The folders with a tagged file in or below them.
  private var tagged: Set<ByteKey> = []
  /// The folders with an untagged file in or below them.
  private var mixed: Set<ByteKey> = []
  /// The topmost folders without a tagged file, each with the number and total size of the files below it.
  private var untagged: [ByteKey: FileCount] = [:]

  init(of input: FileCheck.Input) {
    plan = input.plan
    for folder in input.folders { Self.insert(String(folder.path), into: &tagged) }
    let folders = plan.tree.folders.map { String(decoding: $0, as: UTF8.self) }
    for (folder, count) in zip(folders, plan.tree.untaggedInFolders) where count.files > 0 && !folder.isEmpty
    {
      Self.insert(folder, into: &mixed)
      let above = foldersAbove(folder) + [folder]
      guard let top = above.first(where: { !tagged.contains(ByteKey($0)) }) else { continue }
      untagged[ByteKey(top), default: FileCount()] += count
    }
  }

  /// Adds a folder and all folders above it except the root.
  private static func insert(_ folder: String, into folders: inout Set<ByteKey>) {
    var next = folder
    while next != ".", folders.insert(ByteKey(next)).inserted { next = folderPath(of: next) }
  }

  var findings: [Diagnostic] {
    let whole = Dictionary(grouping: tagged.subtracting(mixed).map(\.text)) { folderPath(of: $0) }
    let bare = Dictionary(grouping: untagged.keys.map(\.text)) { folderPath(of: $0) }
    return bare.flatMap { parent, folders -> [Diagnostic] in
      let others = whole[parent] ?? []
      if folders.count == 1, others.count >= Self.minTaggedFolders {
        return [finding(on: folders[0], others: others)]
      }
      // Folders whose names differ only in digits are compared as one family. There can be thousands of them,
      // and comparing each folder with each other folder would take too long.
      let families = Dictionary(grouping: others, by: Self.unnumbered)
      return Dictionary(grouping: folders, by: Self.unnumbered).flatMap { form, members -> [Diagnostic] in
        let numbered = families[form] ?? []
        guard members.count < numbered.count else { return [] }
        return members.filter { $0 != form }.map { finding(on: $0, others: numbered) }
      }
    }
  }

  /// Returns a path without the digits of its last component.
  private static func unnumbered(_ path: String) -> String {
    joined(folderPath(of: path), lastName(of: path).filter { !$0.isASCII || !$0.isNumber })
  }

  private func finding(on folder: String, others: [String]) -> Diagnostic {
    let count = untagged[ByteKey(folder)] ?? FileCount()
    let names = others.sorted { $0.precedesInBytes($1) }
    return Diagnostic(
      .untaggedFolder,
      message:
        "no file of the folder \(quoted(folder)) has a tag, but all files of \(listed(names, atMost: 4)) "
        + "have tags; \(counted(count.files, of: "file")) with \(ByteSize.exact(count.size)) "
        + "\(count.files == 1 ? "stays" : "stay") in the app bundle",
      at: Place(joined(plan.manifest.rootPath, escaped(folder, upTo: 300))))
  }
}
