import Formats
import Inspect
import Model
import Pipeline
import System

extension Command {
  fileprivate struct InspectOptions: ReportingOptions {
    var format = OutputFormat.text
    var shared = SharedOptions()
  }

  static let inspect = Command(
    CommandSyntax<InspectOptions>(
      name: "inspect", summary: "show a pack, an index or a property list of packs, from any program",
      arguments: [
        Argument(
          "FILE|DIR",
          summary: "a pack, an index, a property list, or a folder with one of them", kind: .path
        ).using(.builtIndex)
      ],
      flags: [.outputFormat(of: "output", into: \.format)]
        + SharedOptions.flags(in: \.shared, without: [.strict, .severity, .jobs])),
    defaults: InspectOptions.init
  ) { options, arguments, session in try options.run(arguments[0], session: session) }
}

extension Command.InspectOptions {
  fileprivate func run(_ argument: String, session: Session) throws -> ExitStatus {
    let inspection: Inspection
    do {
      inspection = try Inspection(argument)
    } catch let refusal as Inspection.Refusal {
      let findings = shared.judged(refusal.diagnostics, manifestPath: argument)
      session.report(findings, options: shared)
      return try session.refuse(findings, format: format)
    }
    guard case .pack(let pack) = inspection, let first = pack.damage.first else {
      try session.print(format, text: inspection.text, json: .object(inspection.members))
      return .done
    }
    // If no file could be read, the first reason explains this, and there is no list to show.
    let isReadable = !pack.contents.isEmpty
    try session.print(
      format, text: isReadable ? inspection.text : "", json: .object(inspection.members))
    for reason in isReadable ? pack.damage : [first] {
      session.reportError(
        "\(quoted(pack.path)) is damaged: \(reason); copy or download it again, or build it again",
        check: .damagedPack)
    }
    return .inputHasErrors
  }
}

extension Inspection {
  var text: PlainText {
    switch self {
    case .pack(let pack): text(of: pack)
    case .patch(let patch): text(of: patch)
    case .list(_, let item): text(of: item)
    case .export(let export):
      export.lists.sorted { $0.key < $1.key }.map { "\(displayed($0.key)):\n\(text(of: $0.value))" }.joined(
        separator: "\n")
    case .builtFolder(let folder): text(of: folder)
    }
  }

  private func text(of item: PlistItem) -> PlainText { PlainText(JSONText(item)) }

  private func text(of pack: PackListing) -> PlainText {
    var text: PlainText = ""
    if let identifier = pack.identifier { text += "identifier: \(displayed(identifier))\n" }
    if let tags = pack.tags { text += "tags: \(tags.map { quoted($0) }.joined(separator: ", "))\n" }
    if let priority = pack.priority { text += "priority: \(priority)\n" }
    let table = Table(pack.contents, columns: .number { grouped($0.size) }, .text { displayed($0.path) })
    let size = pack.contents.saturatingSum { $0.size }
    return text + "\(counted(pack.contents.count, of: "file")), \(grouped(size)) bytes\n"
      + table.text(indentation: 2)
  }

  private func text(of patch: PatchFile) -> PlainText {
    let table = Table(
      patch.recipe.files, columns: .text { $0.method.name }, .number { grouped($0.size) },
      .number { $0.method == .same ? "" : "from \(grouped(patch.frameSize(of: $0)))" },
      .text { displayed(String(decoding: $0.path, as: UTF8.self)) })
    let size = patch.recipe.files.saturatingSum(patch.frameSize)
    return "patch of \(displayed(patch.recipe.pack))\n\(counted(patch.recipe.files.count, of: "file")), "
      + "\(grouped(patch.recipe.files.saturatingSum(\.size))) bytes, made from \(grouped(size))\n"
      + table.text(indentation: 2)
  }

  private func members(of patch: PatchFile) -> [String: JSONText] {
    let recipe = patch.recipe
    let files = recipe.files.map { file -> JSONText in
      JSONText.fields([
        "path": String(decoding: file.path, as: UTF8.self), "size": file.size, "digest": file.digest.prefixed,
        "as": file.method.name, "from": file.source.map(\.prefixed),
        "frame": file.method == .same ? nil : patch.frameSize(of: file),
      ])
    }
    return [
      "kind": .string("patch"), "pack": .string(recipe.pack), "digest": .string(recipe.digest.prefixed),
      "files": .array(files),
    ]
  }

  private func text(of folder: BuiltFolder) -> PlainText {
    guard let index = folder.index else { return "" }
    let packs = Delivery.allCases.flatMap { delivery in
      index.packs.filter { $0.delivery == delivery }.sorted {
        $0.tags.lexicographicallyPrecedes($1.tags) { $0.precedesInBytes($1) }
      }
    }
    let table = Table(
      packs, columns: .tags("", names: TagNames(packs.map(\.tags)), tags: \.tags),
      .text { $0.delivery.title },
      .number { counted($0.fileCount, of: "file") }, .number { ByteSize.text($0.size) },
      .text { displayed("\($0.archive.path)" as ShellText) })
    let total = index.total
    let edition = index.edition.map { edition -> PlainText in
      let end: PlainText = edition.expiryText.map { ", expires \(displayed($0))" } ?? ""
      return "release \(grouped(edition.number))\(end)\n"
    }
    return "\(displayed(index.bundleIdentifier)): \(counted(index.packs.count, of: "pack")), "
      + "\(counted(total.files, of: "file")), \(ByteSize.text(total.size))\n"
      + (edition ?? "") + table.text(indentation: 2)
  }

  fileprivate var members: [String: JSONText] {
    var members: [String: JSONText] =
      switch self {
      case .pack(let pack): self.members(of: pack)
      case .patch(let patch): self.members(of: patch)
      case .list(let name, let item):
        ["kind": .string("list"), "name": .string(name), "content": JSONText(item)]
      case .export(let export):
        ["kind": .string("export"), "lists": .object(export.lists.mapValues { JSONText($0) })]
      case .builtFolder(let folder): self.members(of: folder)
      }
    members["formatVersion"] = .integer(1)
    return members
  }

  private func members(of pack: PackListing) -> [String: JSONText] {
    .fields([
      "kind": "pack", "digest": pack.digest.prefixed, "size": pack.contents.saturatingSum { $0.size },
      "files": pack.contents.map { file in
        JSONText.fields(["path": file.path, "size": file.size, "digest": file.digest.prefixed])
      },
      "damage": pack.damage.isEmpty ? nil : pack.damage, "id": pack.identifier, "tags": pack.tags,
      "priority": pack.priority,
    ])
  }

  private func members(of folder: BuiltFolder) -> [String: JSONText] {
    guard let index = folder.index else { return [:] }
    let packs = index.packs.map { pack -> JSONText in
      return JSONText.fields([
        "id": pack.id, "name": pack.name, "tags": pack.tags, "delivery": pack.delivery.rawValue,
        "fileCount": pack.fileCount, "size": pack.size, "digest": pack.digest.prefixed,
        "archive": pack.archive.path, "priority": pack.priority,
      ])
    }
    return .fields([
      "kind": "index", "bundleIdentifier": index.bundleIdentifier, "packs": packs,
      "release": index.edition.map(\.number), "expires": index.edition?.expiryText,
    ])
  }
}

extension JSONText {
  /// Converts a property list to JSON.
  ///
  /// Values that JSON does not have become strings.
  init(_ item: PlistItem) {
    switch item {
    case .bool(let value): self = .bool(value)
    case .integer(let value): self = .integer(value)
    case .unsigned(let value): self = .string("\(value)")
    case .real(let value) where value.isFinite: self = .real(value)
    case .real(let value), .date(let value): self = .string("\(value)")
    case .string(let value): self = .string(value)
    case .data(let bytes): self = .string("\(counted(bytes.count, of: "byte")) of data")
    case .array(let elements): self = .array(elements.map { JSONText($0) })
    case .dictionary(let members): self = .object(members.mapValues { JSONText($0) })
    }
  }
}
