import Formats
import Model
import System

/// Checks of the paths of files inside packs.
extension FileCheck {
  static let paths: [FileCheck] = [
    pathClashes, pathsInTwoPacks, emptyFiles, placeholders, unlikelyAssets, unportableNames, untaggedFiles,
  ]

  static let tooManyTags = FileCheck(.tooManyTags) { input in
    input.plan.packs.compactMap { pack in
      guard pack.tags.count > ResourceRule.maxTags, let number = pack.files.first else { return nil }
      let file = input.plan.tree.files[number]
      return Diagnostic(
        .tooManyTags,
        message: "the file \(quoted(file.path)) has too many tags; a file can have at most "
          + grouped(ResourceRule.maxTags), at: input.plan.place(of: file))
    }
  }

  /// Reports files with the same path in a pack.
  ///
  /// Paths count as the same if they differ only in case or in Unicode normalization, because Swift ignores
  /// the normalization when it compares strings. Paths also count as the same if they differ only in a suffix
  /// such as ";1", which unzip removes as a version number.
  static let pathClashes = FileCheck(.pathClash) { input in
    // The scan has already compared the names in each folder. A file can clash with a file of another folder
    // only if a destination changes its path.
    if !input.plan.tree.mayHaveClashes && !input.plan.manifest.hasDestinations { return [] }
    return onThreads(input.jobs, each: input.plan.packs) { pack -> [Diagnostic] in
      var places: [String: Int] = Dictionary(minimumCapacity: pack.files.count)
      let clashes = pack.files.compactMap { number -> Diagnostic? in
        let file = input.plan.tree.files[number]
        guard let earlier = places.updateValue(number, forKey: input.key(file.packPath)),
          !input.areAlternatives(earlier, number)
        else { return nil }
        return input.clash(of: input.plan.tree.files[earlier], and: file, in: pack)
      }
      return clashes + input.filesAsFolders(in: pack, places: places)
    }.flatMap(\.self)
  }

  static let pathsInTwoPacks = FileCheck(.pathInTwoPacks) { input in
    if input.plan.manifest.layoutRules.sharesPaths {
      return SharedPaths(plan: input.plan, packs: input.plan.packOfTagSet).findings
    }
    // Without destinations, the paths inside packs are the files' paths in the tree. These paths are unique.
    guard input.plan.manifest.hasDestinations, !input.plan.manifest.hasPackPrefix else { return [] }
    var first: [String: AssetFile] = [:]
    return input.plan.tree.files.compactMap { file in
      guard let earlier = first.updateValue(file, forKey: file.packPath), earlier.tagSet != file.tagSet,
        earlier.stamp.identity != file.stamp.identity
      else { return nil }
      let sets = [earlier, file].map { setNotation(input.plan.tree.tagSets.tags(of: $0.tagSet)) }
      let message =
        "\(quoted(file.path)) and \(quoted(earlier.path)) have the same path \(quoted(file.packPath)) in the "
        + "packs of \(sets[1]) and \(sets[0]); an app that uses both packs cannot know which file it gets"
      return Diagnostic(.pathInTwoPacks, message: message, at: input.plan.place(of: file))
    }
  }

  static let untaggedFiles = FileCheck(.untaggedFile) { input in
    let manifest = input.plan.manifest
    if manifest.untagged == .allow { return [] }
    return input.plan.tree.untaggedFiles.map { file in
      Diagnostic(
        .untaggedFile, message: "the file \(quoted(file.path)) has no tags, so it stays in the app bundle",
        at: Place(joined(manifest.rootPath, escaped(file.path, upTo: 300))),
        severity: manifest.untagged == .error ? .error : .warning)
    }
  }

  static let emptyFiles = FileCheck(.emptyFile) { input in
    let tree = input.plan.tree
    let files = tree.files.indices.filter { tree.files.size(at: $0) == 0 }.map { tree.files[$0] }
    if files.isEmpty { return [] }
    let all = files.map { file in
      Diagnostic(
        .emptyFile, message: "the file \(quoted(file.path)) is empty", at: input.plan.place(of: file))
    }
    // A file whose path matches an `accept` element gets its own finding. In the common finding about all
    // empty files, the element could not accept this file.
    let acceptances = Acceptances(of: input.plan.manifest)
    let left = all.indices.filter { acceptances.acceptance(of: all[$0]) == nil }
    guard left.count > maxEmptyFiles else { return all }
    let names = left.map { files[$0].path }
    let message = "\(grouped(left.count)) files are empty: \(listed(names, atMost: maxEmptyFiles + 1))"
    return all.filter { acceptances.acceptance(of: $0) != nil }
      + [Diagnostic(.emptyFile, message: message, at: input.plan.place(of: files[left[0]]))]
  }

  private static let maxEmptyFiles = 3

  static let unlikelyAssets = FileCheck(.unlikelyAsset) { input in
    if !input.plan.tree.mayHaveUnlikelyNames { return [] }
    var found: [String: (first: AssetFile, isSecret: Bool, count: Int)] = [:]
    for folder in input.folders {
      let unlikelyFolder = UnlikelyName(ofFolder: folder.path)
      for number in folder.files {
        let path = input.plan.tree.files[number].path
        let name = path.utf8Span.span.extracting(droppingFirst: folder.nameStart)
        if unlikelyFolder == nil, !UnlikelyName.mayMatch(file: name) { continue }
        let start = path.utf8.index(path.utf8.startIndex, offsetBy: folder.nameStart)
        guard let unlikely = unlikelyFolder ?? UnlikelyName(ofFile: path[start...]) else { continue }
        found[unlikely.glob, default: (input.plan.tree.files[number], unlikely.isSecret, 0)].count += 1
      }
    }
    return found.sorted { $0.key < $1.key }.map { glob, files in
      let first = quoted(files.first.path)
      let which =
        files.count == 1 ? "the file \(first) is" : "\(grouped(files.count)) files like \(first) are"
      let what =
        files.isSecret
        ? "private data that every user could read"
        : "left over from another program and not an asset"
      return Diagnostic(
        .unlikelyAsset, message: "\(which) probably \(what); add \(quoted(glob)) to \"exclude\"",
        at: input.plan.place(of: files.first), severity: files.isSecret ? .warning : .note)
    }
  }

  /// Reports all unportable names in one finding, because a project with one such name usually has many of
  /// them.
  static let unportableNames = FileCheck(.unportableName) { input in
    let tree = input.plan.tree
    var first: AssetFile?
    var names: [String] = []
    if tree.mayHaveUnportableNames {
      var seen: Set<ByteKey> = []
      for file in tree.files {
        let unstorable = WindowsNames.unstorableNames(in: file.packPath)
        if !unstorable.isEmpty && first == nil { first = file }
        names += unstorable.filter { seen.insert(ByteKey($0)).inserted }
      }
    }
    // The tags are checked because the name of a pack contains its tags.
    var firstTag: String?
    var seenTags: Set<String> = []
    for pack in input.plan.packs
    where pack.tags.contains(where: { $0.utf8.contains(where: WindowsNames.isReserved) }) {
      let isReserved = { (tag: String) in tag.utf8.contains(where: WindowsNames.isReserved) }
      firstTag = firstTag ?? pack.tags.first(where: isReserved)
      names += pack.tags.filter(isReserved).filter { seenTags.insert($0).inserted }
    }
    let manifest = input.plan.manifest
    let tagPlace = firstTag.map { manifest.text.place(at: manifest.firstOffsets[$0] ?? manifest.rulesOffset) }
    guard let place = first.map({ input.plan.place(of: $0) }) ?? tagPlace else { return [] }
    let message =
      "\(counted(names.count, of: "name")) \(names.count == 1 ? "is" : "are") not valid on Windows: "
      + "\(listed(names, atMost: maxUnportableNames)); rename such files or tags, or set the severity of "
      + "this check to \"ignore\" if nobody unpacks these packs on Windows"
    return [Diagnostic(.unportableName, message: message, at: place)]
  }

  private static let maxUnportableNames = 3

  static let placeholders = FileCheck(.icloudPlaceholder) { input in
    if !input.plan.tree.mayHaveHiddenFiles { return [] }
    return input.plan.tree.files.compactMap { file in
      guard file.path.utf8.suffix(7).elementsEqual(".icloud".utf8) else { return nil }
      let name = file.path.split(separator: "/").last ?? ""
      guard name.hasPrefix(".") else { return nil }
      let real = name.dropFirst().dropLast(".icloud".count)
      let message =
        "\(quoted(name)) is iCloud's placeholder for \(quoted(real)); let the Mac download the file"
      return Diagnostic(.icloudPlaceholder, message: message, at: input.plan.place(of: file))
    }
  }
}

extension FileCheck.Input {
  /// Returns the form of a path that is used for comparisons.
  ///
  /// The form ignores case. For a zip pack, the form has no version suffix, because unzip removes such
  /// suffixes.
  fileprivate func key(_ path: String) -> String {
    let folded = path.caseFolded
    guard plan.manifest.container == .zip, let mark = folded.utf8.lastIndex(of: UInt8(ascii: ";")),
      folded.utf8[mark...].dropFirst().allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) })
    else { return folded }
    return String(folded[..<mark])
  }

  /// Whether no device gets both of these two files of a pack.
  fileprivate func areAlternatives(_ first: Int, _ second: Int) -> Bool {
    let alternatives = plan.tree.variants.alternatives
    return !alternatives.isEmpty && alternatives.contains(Int32(second))
      && plan.tree.files[first].packPath.isSameInBytes(as: plan.tree.files[second].packPath)
  }

  /// Finds files at paths that other files of the pack need as a folder.
  ///
  /// `places` maps the comparison form of each path to a file.
  fileprivate func filesAsFolders(in pack: AssetPack, places: [String: Int]) -> [Diagnostic] {
    var seen: Set<String> = []
    var last: Substring = ""
    return pack.files.compactMap { number in
      let file = plan.tree.files[number]
      guard let slash = file.packPath.utf8.lastIndex(of: UInt8(ascii: "/")) else { return nil }
      // Adjacent files usually have the same folder, so the previous folder is compared first.
      if file.packPath[..<slash].utf8.elementsEqual(last.utf8) { return nil }
      last = file.packPath[..<slash]
      for folder in foldersAbove(file.packPath) where seen.insert(folder).inserted {
        guard let other = places[folder.caseFolded] else { continue }
        let message =
          "\(quoted(file.packPath)) needs a folder at a path where the pack has the file "
          + quoted(plan.tree.files[other].packPath)
        return Diagnostic(
          .pathClash, message: message, at: plan.place(of: file), severityRule: .cannotBeLowered)
      }
      return nil
    }
  }

  fileprivate func clash(of first: AssetFile, and second: AssetFile, in pack: AssetPack) -> Diagnostic {
    let places = (first.packPath, second.packPath)
    let isSame = Array(places.0.utf8) == Array(places.1.utf8)
    let (names, owner) = ("\(quoted(first.path)) and \(quoted(second.path))", setNotation(pack.tags))
    let message =
      if isSame {
        "the files \(names) have the same path \(quoted(places.0)) in the pack of \(owner)"
      } else if places.0 == places.1 {
        "the paths of \(names) in the pack of \(owner) differ only in Unicode form; most devices treat such "
          + "paths as equal"
      } else if places.0.caseFolded != places.1.caseFolded {
        "the files \(names) have the paths \(quoted(places.0)) and \(quoted(places.1)), which are equal for "
          + "unzip, because it reads a version number after \";\"; both files are in the pack of \(owner)"
      } else {
        "the paths of \(names) in the pack of \(owner) differ only in case; most devices treat such paths as "
          + "equal; rename one of the files"
      }
    // Some readers treat names that differ only in case or in Unicode normalization as two files.
    return Diagnostic(
      .pathClash, message: message, at: plan.place(of: second),
      severityRule: isSame ? .cannotBeLowered : .adjustable)
  }
}

/// Finds clashing paths in different packs, for packs whose files devices put into one common folder.
///
/// Case and Unicode normalization are ignored, because the file systems of most devices ignore them.
struct SharedPaths {
  let plan: PackPlan
  let packs: [Int]

  var findings: [Diagnostic] {
    // The scan has already compared the names in each folder. A file can clash with a file of another folder
    // only if a destination changes its path.
    if !plan.tree.mayHaveClashes && !plan.manifest.hasDestinations { return [] }
    var first: [String: Int] = Dictionary(minimumCapacity: plan.tree.files.count)
    var firstOfLanguage: [String: Int] = [:]
    let numbers = plan.filesByPackPath
    for number in numbers {
      let (plain, ownLanguage) = (plainKey(number), language(number))
      if first[plain + ownLanguage] == nil { first[plain + ownLanguage] = number }
      if !ownLanguage.isEmpty, firstOfLanguage[plain] == nil { firstOfLanguage[plain] = number }
    }
    return numbers.flatMap { number -> [Diagnostic] in
      // A path in a pack with a language can clash with a path in a pack without a language, but not with a
      // path in a pack of another language.
      let (plain, ownLanguage) = (plainKey(number), language(number))
      let twins = [first[plain + ownLanguage], first[plain]].compactMap(\.self).filter { $0 != number }
      if let earlier = twins.first { return finding(first: earlier, second: number).map { [$0] } ?? [] }
      // A device of any language gets a pack without a language.
      let others = ownLanguage.isEmpty ? firstOfLanguage : first
      return foldersAbove(plan.tree.files[number].packPath).compactMap { folder in
        let place = folder.caseFolded
        return (first[place + ownLanguage] ?? others[place]).flatMap {
          finding(onFolderOf: number, atFile: $0)
        }
      }
    }
  }

  private func plainKey(_ number: Int) -> String { plan.tree.files[number].packPath.caseFolded }

  /// Returns a character that no path contains, followed by the language of a file's pack; empty if the pack
  /// has no language.
  private func language(_ number: Int) -> String {
    plan.manifest.writtenLanguage(of: plan.packs[pack(of: number)].tags).map { "\0\($0)" } ?? ""
  }

  private func pack(of number: Int) -> Int { packs[Int(plan.tree.files[number].tagSet)] }

  /// Returns the finding about two files at the same path; nil if both are in the same pack, because another
  /// check reports this.
  private func finding(first: Int, second: Int) -> Diagnostic? {
    if pack(of: first) == pack(of: second) { return nil }
    let (one, other) = (plan.tree.files[first], plan.tree.files[second])
    let isSame = one.packPath.isSameInBytes(as: other.packPath)
    let places =
      isSame
      ? "path \(quoted(one.packPath))"
      : "paths \(quoted(other.packPath)) and \(quoted(one.packPath)), which most devices treat as equal,"
    let message =
      "\(quoted(other.path)) and \(quoted(one.path)) have the \(places) in the packs of \(tags(second)) and "
      + "\(tags(first)), but on a device all packs share one folder; give one of the files another "
      + "destination, or set \"packPrefix\""
    return pathInTwoPacks(message, file: other)
  }

  /// Returns the finding about a file whose path another file needs as a folder; nil if both are in the same
  /// pack, because another check reports this.
  private func finding(onFolderOf number: Int, atFile other: Int) -> Diagnostic? {
    if pack(of: other) == pack(of: number) { return nil }
    let file = plan.tree.files[number]
    let message =
      "\(quoted(file.packPath)) of the pack of \(tags(number)) needs a folder at a path where the pack of "
      + "\(tags(other)) has the file \(quoted(plan.tree.files[other].packPath)), but on a device all packs "
      + "share one folder; give one of the files another destination, or set \"packPrefix\""
    return pathInTwoPacks(message, file: file)
  }

  private func pathInTwoPacks(_ message: String, file: AssetFile) -> Diagnostic {
    Diagnostic(
      .pathInTwoPacks, message: message, at: plan.place(of: file), severity: .error,
      severityRule: .cannotBeLowered)
  }

  private func tags(_ number: Int) -> String { setNotation(plan.packs[pack(of: number)].tags) }
}
