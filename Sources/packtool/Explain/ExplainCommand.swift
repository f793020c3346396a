import Findings
import Flags
import Formats
import PackKit
import Projects

extension Command {
  private struct ExplainOptions: ReportingOptions {
    var form = ResultForm.text
    var takesPointers = false
    var built: String?
    var shared = SharedOptions()
  }

  static let explain = Command(
    reporting: CommandSyntax<ExplainOptions>(
      name: "explain", summary: "say why a file is in its pack, and what a tag or pack downloads",
      discussion: [
        "A path is one below the root, inside a pack or from the current folder. A pack is named by its "
          + "identifier, its name, the beginning of either or of its digest, or by its tags with \"+\" between."
      ],
      examples: [
        .init("explain Castle", "the packs of a tag, and why they come when they do"),
        .init("explain Castle/map.json", "the rules of a file, and its pack"),
      ],
      arguments: [
        Argument("PATH|TAG|PACK", summary: "a file or folder, a tag, or a pack", kind: .named("subject")),
        manifestArgument,
      ],
      flags: [
        .resultForm(of: "answer", into: \.form),
        .pointers(into: \.takesPointers), .built(into: \.built),
      ] + SharedOptions.flags(in: \.shared)), ExplainOptions.init
  ) { options, arguments, session in
    let manifest = try arguments.count > 1 ? arguments[1] : ManifestSource.search()
    let shared = options.shared
    var request = Preparation.Request(manifest, jobs: shared.workers, scanJobs: shared.scanWorkers)
    request.listsUntagged = true
    request.takesPointers = options.takesPointers
    let prepared = try Preparation(request)
    if shared.isVerbose {
      session.narrate(prepared.notes(jobs: shared.workers), shared)
    }
    let built = try prepared.packs(builtIn: options.built, shared)
    let findings = shared.judged(prepared.diagnostics + built.findings, about: prepared)
    guard let plan = prepared.plan, let root = prepared.root else {
      session.report(findings, shared)
      try session.printRefusal(findings, options.form)
      return .inputHasErrors
    }
    let finder = SubjectFinder(plan, root: root)
    let subjects = finder.subjects(named: arguments[0])
    // A run without findings has nothing to say in front of a mistake.
    if !subjects.isEmpty || !findings.diagnostics.isEmpty { session.report(findings, shared) }
    if subjects.isEmpty { return session.refuse(mistake(in: arguments[0], finder, prepared.path)) }
    let reader = SubjectReader(plan, built: built.packs, for: prepared.devices)
    let facts = subjects.map(reader.facts)
    try session.print(options.form, SubjectFacts.text(of: facts), SubjectFacts.document(of: facts))
    return findings.hasErrors ? .inputHasErrors : .done
  }

  /// The mistake of a name for nothing, or for several packs.
  private static func mistake(in word: String, _ finder: SubjectFinder, _ path: String) -> String {
    let packs = finder.packs(beginningWith: word)
    if packs.count > 1 {
      let names = packs.prefix(3).map { setNotation($0.tags) }.joined(separator: ", ")
      let more = packs.count > 3 ? " and \(grouped(packs.count - 3)) more" : ""
      return
        "the names of \(counted(packs.count, "pack")) begin with \(quoted(word)): \(names)\(more); say more of one"
    }
    let guess = suggestion(finder.guess(for: word))
    return "\(quoted(word)) is no file, tag or pack of \(path)\(guess)"
  }
}

extension SubjectFacts {
  /// All that a word names in a plan, as one document.
  fileprivate static func document(of subjects: [SubjectFacts]) -> JSONText {
    .object([
      "formatVersion": .integer(1), "subjects": .array(subjects.map { .object($0.members) }),
    ])
  }

  private var members: [String: JSONText] {
    switch self {
    case .file(let file): Self.members(of: file)
    case .untaggedFile(let file): Self.members(of: file)
    case .folder(let folder): Self.members(of: folder)
    case .tag(let tag): Self.members(of: tag)
    case .pack(let pack, let files): Self.members(of: pack, files)
    }
  }

  private static func members(of file: FileFacts) -> [String: JSONText] {
    .known([
      "kind": .string("file"), "path": .string(file.path), "packPath": .string(file.packPath),
      "size": .integer(file.size), "tags": .strings(file.tags), "rules": .array(file.rules.map(json)),
      "pack": file.pack.map(json),
      "packed": file.packedSize.map(JSONText.integer),
      "variant": file.variant.map(json),
    ])
  }

  private static func members(of file: UntaggedFileFacts) -> [String: JSONText] {
    var members: [String: JSONText] = [
      "kind": .string("file"), "path": .string(file.path), "tags": .array([]),
    ]
    if !file.isResource { members["isResource"] = .bool(false) }
    if let exclusion = file.exclusion {
      members["excludedBy"] = .string(exclusion)
    } else {
      members["nearRules"] = .array(
        file.nearRules.map { rule, reason in
          var members = self.members(of: rule)
          members["reason"] = .string(reason)
          return .object(members)
        })
    }
    return members
  }

  private static func members(of folder: FolderFacts) -> [String: JSONText] {
    var members: [String: JSONText] = [
      "kind": .string("folder"), "path": .string(folder.path), "fileCount": .integer(folder.fileCount),
      "size": .integer(folder.size), "packs": .array(folder.shares.map(json)),
      "rules": .array(folder.rules.map(json)), "untagged": .array(folder.untagged.map(\.json)),
    ]
    members["excludedBy"] = folder.exclusion.map(JSONText.string)
    return members
  }

  private static func members(of tag: TagFacts) -> [String: JSONText] {
    .known([
      "kind": .string("tag"), "tag": .string(tag.tag), "delivery": .string(tag.delivery.rawValue),
      "size": .integer(tag.size), "fileCount": .integer(tag.fileCount),
      "listings": .array(tag.listings.map(json)), "packs": .array(tag.packs.map(json)),
      "rules": .array(tag.rules.map(json)),
      "draggedIn": tag.dragged.isEmpty ? nil : .array(tag.dragged.map(json)),
      "packed": tag.packedSize.map(JSONText.integer),
    ])
  }

  private static func json(of dragged: DraggedTag) -> JSONText {
    .object(known: [
      "delivery": .string(dragged.delivery.rawValue), "packs": .integer(dragged.packCount),
      "size": .integer(dragged.size), "tags": .strings(dragged.others),
      "saving": dragged.saving.map(JSONText.integer),
    ])
  }

  private static func members(of pack: PackFacts, _ files: [PackedFile]) -> [String: JSONText] {
    var members = members(of: pack)
    members["kind"] = .string("pack")
    members["files"] = .array(
      files.map { file in
        return .object(known: [
          "path": .string(file.path), "size": .integer(file.size),
          "packed": file.packedSize.map(JSONText.integer),
        ])
      })
    return members
  }

  private static func json(of pack: PackFacts) -> JSONText { .object(members(of: pack)) }

  /// A pack as the index has it, with its place in the order and what decides it.
  private static func members(of pack: PackFacts) -> [String: JSONText] {
    .known([
      "id": .string(pack.identity.identifier), "name": .string(pack.identity.name),
      "tags": .strings(pack.tags), "delivery": .string(pack.delivery.rawValue),
      "fileCount": .integer(pack.fileCount), "size": .integer(pack.size),
      "listings": .array(pack.listings.map(json)),
      "packed": pack.packedSize.map(JSONText.integer),
      "priority": pack.priority.map(JSONText.real),
      "place": pack.place.map { .integer($0.number) },
      "unlistedTags": pack.draggedTags.isEmpty ? nil : .strings(pack.draggedTags),
      "devices": pack.sizes.map(json),
    ])
  }

  private static func json(of sizes: DeviceRange) -> JSONText {
    func json(_ bound: DeviceRange.Bound) -> JSONText {
      .object(["name": .string(bound.device.name), "size": .integer(bound.size)])
    }
    return .object(["smallest": json(sizes.least), "largest": json(sizes.most)])
  }

  private static func json(of variant: VariantFacts) -> JSONText {
    .object([
      "assets": .array(
        variant.assets.map { .object(["name": .string($0.name), "traits": .string($0.traits.words)]) }),
      "devices": .strings(variant.devices.map(\.name)), "deviceCount": .integer(variant.count),
    ])
  }

  private static func json(of share: PackShare) -> JSONText {
    .object([
      "id": .string(share.id), "tags": .strings(share.tags), "delivery": .string(share.delivery.rawValue),
      "fileCount": .integer(share.fileCount), "size": .integer(share.size),
    ])
  }

  private static func json(of rule: RuleFacts) -> JSONText { .object(members(of: rule)) }

  private static func members(of rule: RuleFacts) -> [String: JSONText] {
    var members = rule.place.json
    members[rule.key] = .string(rule.pattern)
    members["tags"] = .strings(rule.tags + rule.made)
    if !rule.templates.isEmpty { members["tagTemplates"] = .strings(rule.templates) }
    return members
  }

  private static func json(of listing: TagListing) -> JSONText {
    var members = listing.place.json
    members["tag"] = .string(listing.tag)
    members["list"] = .string(listing.key)
    members["number"] = .integer(listing.number)
    return .object(members)
  }
}
