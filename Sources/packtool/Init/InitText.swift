import Findings
import Formats
import PackKit
import Projects
import System

/// A proposed manifest for people: its rules with what they tag, what stays in the app, and what to do next.
extension InitReport {
  /// The number of folders that are named.
  private static let mostKept = 12

  private var proposal: ManifestProposal { proposed.proposal }

  var text: PlainText {
    let rules = "\(counted(proposal.rules.count, "rule")), \(counted(tagCount, "tag"))"
    let head: PlainText = path.map { "wrote \(displayed($0)): \(rules)\n" } ?? "would write \(rules)\n"
    return head + root + engine + table + lists + kept + leftOut + next
  }

  private var root: PlainText {
    proposal.manifest.root.value == "." ? "" : "root: \(displayed(proposal.manifest.root.value))\n"
  }

  private var engine: PlainText {
    proposal.engine.map {
      "a project of \($0): pack what the engine builds for players rather than its sources\n"
    } ?? ""
  }

  private var table: PlainText {
    var table = TextTable([.left, .left, .right, .right, .left])
    for (rule, share) in zip(proposal.rules, proposed.shares) {
      let names = rule.rule.tags.map(\.value) + rule.rule.templates.map(\.text.value)
      let tags = share.tags.count == 1 ? "1 pack" : "\(grouped(share.tags.count)) packs"
      table.add(
        displayed(rule.rule.text.value), listed(names), tags, ByteSize.text(share.size), rule.reason)
    }
    return table.text(indentation: 2)
  }

  private var lists: PlainText {
    let lists = [
      ("initial install", proposal.manifest.initialInstallTags.map(\.value)),
      ("prefetch", proposal.manifest.prefetchTagOrder.map(\.value)),
    ]
    let none: PlainText =
      lists[0].1.isEmpty ? "initial install: none; name the tags that the first screen needs\n" : ""
    return none
      + lists.filter { !$0.1.isEmpty }.map { name, tags -> PlainText in
        "\(name): \(listed(tags, atMost: 8))\n"
      }.joined()
  }

  private var kept: PlainText {
    guard let untagged = proposed.plan?.tree.untagged, untagged.files > 0 else { return "" }
    var text: PlainText =
      "untagged, in the app bundle: \(counted(untagged.files, "file")), \(ByteSize.text(untagged.size))\n"
    var table = TextTable([.left, .right, .left])
    let largest = proposal.kept.sorted { ($1.size, $0.path) < ($0.size, $1.path) }
    for folder in largest.prefix(Self.mostKept) {
      table.add(displayed(folder.path), ByteSize.text(folder.size), folder.reason)
    }
    text += table.text(indentation: 2)
    let more = largest.count - Self.mostKept
    return text + (more > 0 ? "  and \(counted(more, "more folder"))\n" : "")
  }

  private var leftOut: PlainText {
    if proposal.leftOut.isEmpty { return "" }
    return "left out by \"exclude\", since they would be errors: \(listed(proposal.leftOut, atMost: 4))\n"
  }

  private var next: PlainText {
    func words(_ folder: String) -> String { folder == "." ? "" : " \(displayed(folder))" }
    let place = words(folder)
    var table = TextTable([.left, .left])
    if path == nil { table.add("packtool init\(words(argument))", "write this manifest") }
    table.add("packtool plan\(place)", "show its packs and their sizes")
    table.add("packtool plan --untagged\(place)", "list the files without tags")
    table.add("packtool suggest --trace FILE\(place)", "compare it with what the app loads, and when")
    table.add("packtool build\(place) -o packs", "write the packs")
    return "next:\n" + table.text(indentation: 2)
  }
}

/// The result of a proposal.
struct InitReport {
  let proposed: ProposedPlan
  /// The folder that was looked at, as the user typed it.
  let argument: String
  /// The folder of the manifest.
  let folder: String
  /// The file that was written; nil where none was.
  let path: String?
  let findings: Findings

  /// The manifest as it is written.
  var manifestText: String { String(decoding: proposed.text.array(), as: UTF8.self) }

  /// The number of tags of all rules.
  var tagCount: Int { proposed.shares.reduce(into: Set<String>()) { $0.formUnion($1.tags) }.count }
}

/// A proposed manifest for programs.
extension InitReport {
  var json: JSONText {
    return findings.document([
      "status": .string(path == nil ? "printed" : "written"),
      "output": path.map(JSONText.string) ?? .null,
      "manifest": JSONReader.read(proposed.source).value.map { JSONText($0) } ?? .null,
      "rules": .array(zip(proposal.rules, proposed.shares).map(Self.json)),
      "kept": .array(proposal.kept.map(Self.json)),
      "leftOut": .strings(proposal.leftOut),
    ])
  }

  private static func json(of rule: ProposedRule, _ share: ProposedPlan.RuleShare) -> JSONText {
    .object([
      rule.rule.pattern.key: .string(rule.rule.text.value), "reason": .string(rule.reason),
      "tags": .strings(share.tags.sorted()), "fileCount": .integer(share.fileCount),
      "size": .integer(share.size),
    ])
  }

  private static func json(of folder: KeptFolder) -> JSONText {
    .object([
      "path": .string(folder.path), "fileCount": .integer(folder.fileCount), "size": .integer(folder.size),
      "reason": .string(folder.reason),
    ])
  }
}
