import Formats
import Model
import Pipeline
import System

extension Command {
  private struct ExplainOptions: ReportingOptions {
    var format = OutputFormat.text
    var acceptsPointers = false
    var built: String?
    /// The folder that `--root` specifies.
    ///
    /// Code that reads files gets this folder from `RunScope.current`.
    var root: String?
    var shared = SharedOptions()
  }

  static let explain = Command(
    CommandSyntax<ExplainOptions>(
      name: "explain", summary: "explain why a file is in its pack, and what a tag or pack downloads",
      arguments: [
        Argument("PATH|TAG|PACK", summary: "a file or folder, a tag, or a pack", kind: .named(.subject)),
        manifestArgument,
      ],
      flags: [
        .outputFormat(of: "answer", into: \.format),
        .pointers(into: \.acceptsPointers), .built(into: \.built), .root(into: \.root),
      ] + SharedOptions.flags(in: \.shared)), defaults: ExplainOptions.init
  ) { options, arguments, session in
    if let mistake = try unquotedName(in: arguments) { return session.refuse(mistake) }
    let manifestPath = try arguments.count > 1 ? arguments[1] : ManifestSource.search()
    let shared = options.shared
    var request = Preparation.Request(argument: manifestPath, jobs: shared.workers)
    request.listsUntagged = true
    request.acceptsPointers = options.acceptsPointers
    let prepared = try Preparation(request)
    if shared.isVerbose {
      session.printProgress(prepared.notes(jobs: shared.workers), options: shared)
    }
    let built = try prepared.packs(builtIn: options.built, shared: shared)
    let findings = shared.judged(prepared.diagnostics + built.findings, about: prepared)
    guard let plan = prepared.plan, let root = prepared.root else {
      session.report(findings, options: shared)
      return try session.refuse(findings, format: options.format)
    }
    let reader = SubjectReader(plan, root: root, built: built.packs, for: prepared.devices)
    let facts = reader.facts(named: arguments[0])
    // If the argument names nothing and there are no findings, only the error about the argument is printed.
    if !facts.isEmpty || !findings.diagnostics.isEmpty { session.report(findings, options: shared) }
    if facts.isEmpty { return session.refuse(mistake(in: arguments[0], reader: reader, path: prepared.path)) }
    try session.print(
      options.format, text: facts.map(\.text).joined(separator: "\n"),
      json: .fields(["formatVersion": 1, "subjects": facts.map(\.members)]))
    return ExitStatus(of: findings)
  }

  /// Returns the mistake of a command line such as `packtool explain Level 1`, where a name with a space has
  /// no quotes; nil if there is no such mistake.
  private static func unquotedName(in arguments: [String]) throws -> String? {
    guard arguments.count > 1, !arguments[1].hasSuffix(".json"),
      try !FileOperations.exists(arguments[1])
    else { return nil }
    let name = arguments.joined(separator: " ")
    return "\(quoted(arguments[1])) does not exist; to explain a name with a space, quote the name: packtool "
      + "explain \(quoted(name))"
  }

  /// Returns the message about a word that names nothing, or that matches several packs.
  private static func mistake(in word: String, reader: SubjectReader, path: String) -> String {
    let packs = reader.packs(beginningWith: word)
    if packs.count > 1 {
      let names = packs.prefix(3).map { setNotation($0.tags) }.joined(separator: ", ")
      let more = packs.count > 3 ? " and \(grouped(packs.count - 3)) more" : ""
      return
        "the names of \(counted(packs.count, of: "pack")) begin with \(quoted(word)): \(names)\(more); type "
        + "more of the name"
    }
    let guess = suggestion(reader.guess(for: word))
    return "\(quoted(word)) is not a file, tag or pack of \(path)\(guess)"
  }
}

extension SubjectFacts {
  fileprivate var members: [String: JSONText] {
    switch self {
    case .file(let file): Self.members(of: file)
    case .untaggedFile(let file): Self.members(of: file)
    case .folder(let folder): Self.members(of: folder)
    case .tag(let tag): Self.members(of: tag)
    case .pack(let pack, let files): Self.members(of: pack, files: files)
    }
  }

  private static func members(of facts: FileFacts) -> [String: JSONText] {
    .fields([
      "kind": "file", "path": facts.file.path, "packPath": facts.file.packPath, "size": facts.file.size,
      "tags": facts.tags, "rules": facts.rules.map(members),
      "passedRules": facts.passed.isEmpty ? nil : facts.passed.map(members), "pack": facts.pack.map(members),
      "packed": facts.packedSize, "variant": facts.variant.map(json),
    ])
  }

  private static func members(of file: UntaggedFileFacts) -> [String: JSONText] {
    let nearRules = file.nearRules.map { near in
      members(of: near.rule).merging(["reason": .string(near.reason)]) { $1 }
    }
    return .fields([
      "kind": "file", "path": file.path, "tags": [String](), "isResource": file.isResource ? nil : false,
      "excludedBy": file.exclusion, "nearRules": file.exclusion == nil ? nearRules : nil,
      "passedRules": file.passed.isEmpty ? nil : file.passed.map(members),
    ])
  }

  private static func members(of folder: FolderFacts) -> [String: JSONText] {
    .fields([
      "kind": "folder", "path": folder.path, "fileCount": folder.fileCount, "size": folder.size,
      "packs": folder.shares.map(json), "rules": folder.rules.map(members),
      "passedRules": folder.passed.isEmpty ? nil : folder.passed.map(members),
      "untagged": folder.untagged.map(\.json), "excludedBy": folder.exclusion,
    ])
  }

  private static func members(of facts: TagFacts) -> [String: JSONText] {
    .fields([
      "kind": "tag", "tag": facts.tag.name, "delivery": facts.tag.delivery.rawValue, "size": facts.tag.size,
      "fileCount": facts.fileCount, "listings": facts.listings.map(json), "packs": facts.packs.map(members),
      "rules": facts.rules.map(members), "draggedIn": facts.pulledIn.isEmpty ? nil : facts.pulledIn.map(json),
      "packed": facts.packedSize,
    ])
  }

  private static func json(of pulledIn: PulledInTag) -> JSONText {
    .fields([
      "delivery": pulledIn.delivery.rawValue, "packs": pulledIn.packCount, "size": pulledIn.size,
      "tags": pulledIn.others, "saving": pulledIn.saving,
    ])
  }

  private static func members(of facts: PackFacts, files: [MemberFile]) -> [String: JSONText] {
    let files = files.map {
      JSONText.fields(["path": $0.path, "size": $0.size, "packed": $0.packedSize])
    }
    return members(of: facts).merging(["kind": .string("pack"), "files": .array(files)]) { $1 }
  }

  /// Returns a pack as the index describes it, with its position in the order and the tags that decide the
  /// position.
  private static func members(of facts: PackFacts) -> [String: JSONText] {
    .fields([
      "id": facts.pack.id, "name": facts.pack.name, "tags": facts.pack.tags,
      "delivery": facts.pack.delivery.rawValue, "fileCount": facts.pack.fileCount, "size": facts.pack.size,
      "listings": facts.listings.map(json), "packed": facts.pack.packedSize, "priority": facts.pack.priority,
      "place": facts.place.map(\.number),
      "unlistedTags": facts.pulledInTags.isEmpty ? nil : facts.pulledInTags,
      "devices": facts.sizes.map(json),
    ])
  }

  private static func json(of sizes: DeviceRange) -> JSONText {
    func json(_ bound: DeviceRange.Bound) -> JSONText {
      .fields(["name": bound.device.name, "size": bound.size])
    }
    return .fields(["smallest": json(sizes.smallest), "largest": json(sizes.largest)])
  }

  private static func json(of variant: VariantFacts) -> JSONText {
    .fields([
      "assets": variant.assets.map { JSONText.fields(["name": $0.name, "traits": $0.traits.words]) },
      "devices": variant.devices.map(\.name), "deviceCount": variant.count,
    ])
  }

  private static func json(of share: FolderShareOfPack) -> JSONText {
    .fields([
      "id": share.id, "tags": share.tags, "delivery": share.delivery.rawValue, "fileCount": share.fileCount,
      "size": share.fileSize,
    ])
  }

  private static func members(of rule: RuleFacts) -> [String: JSONText] {
    rule.place.json(with: [
      rule.key: rule.pattern, "tags": rule.tags + rule.generated,
      "tagTemplates": rule.templates.isEmpty ? nil : rule.templates,
    ])
  }

  private static func members(of passed: PassedRuleFacts) -> [String: JSONText] {
    members(of: passed.rule).merging(
      passed.except.map { ["except": .string($0)] } ?? ["otherwise": .bool(true)]
    ) { $1 }
  }

  private static func json(of listing: TagListing) -> JSONText {
    .object(listing.place.json(with: ["tag": listing.tag, "list": listing.key, "number": listing.number]))
  }
}

// The text that `explain` prints about a subject of a plan.
extension SubjectFacts {
  fileprivate var text: PlainText {
    switch self {
    case .file(let file): Self.text(of: file)
    case .untaggedFile(let file): Self.text(of: file)
    case .folder(let folder): Self.text(of: folder)
    case .tag(let tag): Self.text(of: tag)
    case .pack(let pack, let files): Self.text(of: pack, files: files)
    }
  }

  private static func text(of facts: FileFacts) -> PlainText {
    var text: PlainText =
      "file \(quoted(facts.file.path)): \(ByteSize.exact(facts.file.size))\(packed(facts.packedSize) { ByteSize.exact($0) })\n"
    text += "  tags: \(setNotation(facts.tags))\n"
    for rule in facts.rules { text += "    \(claim(of: rule))\n" }
    for rule in facts.passed { text += "    \(reason(of: rule))\n" }
    if facts.file.destination != nil { text += "  path in its pack: \(quoted(facts.file.packPath))\n" }
    text += facts.variant.map(variant) ?? ""
    guard let pack = facts.pack else { return text }
    let others = pack.pack.fileCount - 1
    text += "  pack: \(displayed(pack.pack.id))\n"
    text += "    files with exactly these tags: this file"
    text += others == 0 ? "\n" : " and \(counted(others, of: "other")), \(sizes(of: pack))\n"
    return text + delivery(of: pack) + requests(for: pack)
  }

  private static func text(of file: UntaggedFileFacts) -> PlainText {
    if let exclusion = file.exclusion {
      return "file \(quoted(file.path)): never packed, because \(quoted(exclusion)) is excluded\n"
    }
    if !file.isResource {
      return
        "file \(quoted(file.path)): not among the target's resources, so it is neither in a pack nor copied "
        + "into the app\n"
    }
    var text: PlainText = "file \(quoted(file.path)): no tags, so it stays in the app bundle\n"
    if !file.passed.isEmpty {
      for rule in file.passed { text += "  \(reason(of: rule))\n" }
      return text
    }
    text +=
      file.nearRules.isEmpty
      ? "  no rule has a similar path or glob\n"
      : "  no rule matches the file; the most similar rules:\n"
    for near in file.nearRules {
      text += "    \(displayed(near.rule.place)): \(kind(of: near.rule)) \(near.reason)\n"
    }
    return text
  }

  private static func text(of folder: FolderFacts) -> PlainText {
    let passed: PlainText = folder.passed.map { "  \(reason(of: $0))\n" as PlainText }.joined()
    if folder.shares.isEmpty {
      let reason = folder.exclusion.map { "nothing is packed, because \(quoted($0)) is excluded" }
      return "folder \(quoted(folder.path)): \(reason ?? "no file below it has tags")\n"
        + passed + untagged(in: folder)
    }
    var text: PlainText =
      "folder \(quoted(folder.path)): \(counted(folder.fileCount, of: "tagged file")), \(ByteSize.text(folder.size))\n"
    let table = Table(
      folder.shares, columns: .text { setNotation($0.tags) }, .number { counted($0.fileCount, of: "file") },
      .number { ByteSize.text($0.fileSize) }, .text { $0.delivery.title })
    text += table.text(indentation: 2)
    for rule in folder.rules { text += "  \(claim(of: rule))\n" }
    return text + passed + untagged(in: folder)
  }

  private static func untagged(in folder: FolderFacts) -> PlainText {
    if folder.untagged.isEmpty { return "" }
    let size = ByteSize.text(folder.untagged.saturatingSum { $0.size })
    return "  untagged, in the app bundle: \(counted(folder.untagged.count, of: "file")), \(size)\n"
      + UntaggedFolder.text(of: folder.untagged)
  }

  private static func text(of facts: TagFacts) -> PlainText {
    let delivery = facts.tag.delivery.title(ofPacks: facts.packs.map(\.pack.delivery))
    var text: PlainText =
      "tag \(quoted(facts.tag.name)): \(delivery), \(counted(facts.packs.count, of: "pack")), "
      + "\(counted(facts.fileCount, of: "file")), \(ByteSize.text(facts.tag.size))\(packed(facts.packedSize))\n"
    text += facts.listings.map(line).joined()
    text += "  a request for this tag downloads these packs, in this order, if they are missing:\n"
    let table = Table(
      facts.packs.enumerated(), columns: .number { place, row in "\(place + 1)" },
      .text { place, row in setNotation(row.pack.tags) },
      .number { place, row in counted(row.pack.fileCount, of: "file") },
      .number { place, row in ByteSize.text(row.pack.size) },
      .text { place, row in row.pack.delivery.title + packed(row.pack.packedSize) })
    text += table.text(indentation: 4)
    text += facts.pulledIn.map { line(of: $0, with: facts.tag.name) }.joined()
    text += "  assigned by \(counted(facts.rules.count, of: "rule")):\n"
    for rule in facts.rules {
      text += "    \(displayed(rule.place)): \(kind(of: rule))\(source(of: rule))\n"
    }
    return text
  }

  private static func text(of facts: PackFacts, files: [MemberFile]) -> PlainText {
    var text: PlainText =
      "pack \(setNotation(facts.pack.tags)): \(counted(facts.pack.fileCount, of: "file")), \(sizes(of: facts))\n"
    text += "  id: \(displayed(facts.pack.id))\n  name: \(displayed(facts.pack.name))\n"
    text += delivery(of: facts) + requests(for: facts) + "  files:\n"
    let table = Table(
      files, columns: .number { grouped($0.size) },
      .text { file in displayed(file.path) + packed(file.packedSize) { grouped($0) } })
    return text + table.text(indentation: 4)
  }

  /// Returns a text that says when a pack is downloaded, at which position in the order, and which tag in the
  /// manifest's lists decides this.
  private static func delivery(of facts: PackFacts) -> PlainText {
    var text: PlainText = "  delivery: \(facts.pack.delivery.title)"
    if let place = facts.place { text += ", place \(place.number) of \(place.count)" }
    text += facts.pack.priority.map { ", priority \(decimal($0, digits: 2))\n" } ?? "\n"
    text += facts.listings.map(line).joined()
    if !facts.pulledInTags.isEmpty {
      let verb = facts.pulledInTags.count == 1 ? "is" : "are"
      text +=
        "    \(listed(facts.pulledInTags)) \(verb) listed neither for the initial install nor for the "
        + "prefetch: the pack is pulled in by another tag\n"
    }
    return text + (facts.sizes.map(range) ?? "")
  }

  private static func range(of sizes: DeviceRange) -> PlainText {
    "  on devices: from \(ByteSize.text(sizes.smallest.size)), such as "
      + "\(quoted(sizes.smallest.device.name)), to \(ByteSize.text(sizes.largest.size)), such as "
      + "\(quoted(sizes.largest.device.name))\n"
  }

  private static func variant(_ variant: VariantFacts) -> PlainText {
    let assets = variant.assets.map { asset -> PlainText in
      "  variant of \(quoted(asset.name)): \(asset.traits == .none ? "any device" : asset.traits.words)\n"
    }
    let example = variant.devices.first.map { ", such as \(quoted($0.name))" } ?? ""
    return assets.joined() + "  on devices: \(grouped(variant.devices.count)) of "
      + "\(counted(variant.count, of: "device class", plural: "device classes")) get this file\(example)\n"
  }

  private static func line(of pulledIn: PulledInTag, with tag: String) -> PlainText {
    let packs = "\(counted(pulledIn.packCount, of: "pack")) with \(ByteSize.exact(pulledIn.size))"
    let delivery = "the \(pulledIn.delivery.title)"
    let (isOne, isOneOther) = (pulledIn.packCount == 1, pulledIn.others.count == 1)
    let others = listed(pulledIn.others, atMost: 6)
    guard let saving = pulledIn.saving else {
      return
        "  the tag is listed neither for the initial install nor for the prefetch, but \(packs) "
        + "\(isOne ? "is" : "are") pulled into \(delivery) by \(isOneOther ? "another tag" : "other tags"): "
        + "\(others)\n"
    }
    return
      "  the tag pulls \(packs) into \(delivery) that also \(isOne ? "has" : "have") "
      + "\(isOneOther ? "a tag that is" : "tags that are") listed neither for the initial install nor for "
      + "the prefetch: \(others); without the tag on these files, \(delivery) would be "
      + "\(ByteSize.exact(saving)) smaller\n"
  }

  private static func line(of listing: TagListing) -> PlainText {
    "    \(displayed(listing.place)): \(quoted(listing.tag)) is number \(listing.number) of \(quoted(listing.key))\n"
  }

  private static func requests(for facts: PackFacts) -> PlainText {
    let tags = facts.pack.tags.map { quoted($0) }.joined(separator: " or ")
    return "  a request for \(tags) downloads this pack, \(sizes(of: facts))\n"
  }

  private static func sizes(of facts: PackFacts) -> String {
    ByteSize.text(facts.pack.size) + packed(facts.pack.packedSize)
  }

  private static func packed(_ size: Int64?, write: (Int64) -> String = { ByteSize.text($0) }) -> String {
    size.map { ", compressed \(write($0))" } ?? ""
  }

  private static func claim(of rule: RuleFacts) -> String {
    let tags = rule.tags + (rule.generated.isEmpty ? rule.templates : rule.generated)
    return "\(displayed(rule.place)): \(kind(of: rule)) assigns \(listed(tags))\(source(of: rule))"
  }

  private static func reason(of passed: PassedRuleFacts) -> String {
    let start = "\(displayed(passed.rule.place)): \(kind(of: passed.rule)) does not take"
    return passed.except.map { "\(start) files that its \"except\" leaves out with \(quoted($0))" }
      ?? "\(start) files that another rule takes, because it has \"otherwise\""
  }

  private static func source(of rule: RuleFacts) -> String {
    rule.generated.isEmpty ? "" : " with \(listed(rule.templates))"
  }

  /// Returns a string such as `path "Levels/1"` or `glob "Music/*.ogg"`.
  private static func kind(of rule: RuleFacts) -> String { "\(rule.key) \(quoted(rule.pattern))" }
}
