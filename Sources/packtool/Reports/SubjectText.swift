import Findings
import Formats
import PackKit
import System

/// What `explain` says of something in a plan.
struct SubjectText {
  private let subject: Subject
  private let plan: PackPlan

  init(_ subject: Subject, in plan: PackPlan) {
    self.subject = subject
    self.plan = plan
  }

  var text: String {
    switch subject {
    case .file(let number): text(ofFile: plan.tree.files[number])
    case .untaggedFile(let path): text(ofUntagged: path)
    case .folder(let path): text(ofFolder: path)
    case .tag(let number): text(of: plan.tags[number])
    case .pack(let number): text(of: number)
    }
  }

  private func text(ofFile file: AssetFile) -> String {
    var text = "file \(quoted(file.path)): \(counted(file.size, "byte"))\n"
    text += "  tags: \(setNotation(plan.tree.tagSets.tags(of: file.tagSet)))\n"
    for rule in RuleTracer(plan.manifest).trace(file.path).rules { text += "    \(claim(of: rule))\n" }
    if let destination = file.destination { text += "  inside its pack: \(quoted(destination))\n" }
    guard let number = plan.pack(ofFile: file) else { return text }
    let pack = plan.packs[number]
    let others = pack.files.count - 1
    text += "  pack: \(displayed(pack.identity.identifier))\n"
    text += "    files with just these tags: this one"
    text += others == 0 ? "\n" : " and \(counted(others, "other")), \(ByteSize.text(pack.size))\n"
    return text + delivery(of: number) + requests(for: pack)
  }

  private func text(ofUntagged path: String) -> String {
    let trace = RuleTracer(plan.manifest).trace(path)
    if let exclusion = trace.exclusion {
      return "file \(quoted(path)): never packed, for \(quoted(exclusion)) is excluded\n"
    }
    var text = "file \(quoted(path)): no tags, so it stays in the app bundle\n"
    let near = NearRule.all(near: path, in: plan.manifest)
    text += near.isEmpty ? "  no rule comes near it\n" : "  no rule matches it; the nearest:\n"
    for near in near { text += "    \(place(near.rule.text)): \(near.rule.kind) \(near.reason)\n" }
    return text
  }

  private func text(ofFolder path: String) -> String {
    let shares = plan.shares(ofFolder: path)
    if shares.isEmpty {
      let exclusion = RuleTracer(plan.manifest).trace(path + "/x").exclusion
      let reason = exclusion.map { "nothing is packed, for \(quoted($0)) is excluded" }
      return "folder \(quoted(path)): \(reason ?? "no file below it has tags")\n"
    }
    let files = shares.flatMap(\.files)
    let size = shares.saturatingSum { $0.size }
    var text = "folder \(quoted(path)): \(counted(files.count, "tagged file")), \(ByteSize.text(size))\n"
    var table = TextTable([.left, .right, .right, .left])
    for share in shares {
      let pack = plan.packs[share.pack]
      table.add(
        setNotation(pack.tags), counted(share.files.count, "file"), ByteSize.text(share.size),
        pack.delivery.title)
    }
    text += table.text(indentation: 2)
    for rule in plan.rules(ofFiles: files.sorted()) { text += "  \(claim(of: rule))\n" }
    return text
  }

  private func text(of tag: PackPlan.TagSummary) -> String {
    let files = tag.packs.reduce(0) { $0 + plan.packs[$1].files.count }
    var text =
      "tag \(quoted(tag.tag)): \(tag.delivery.title), \(counted(tag.packs.count, "pack")), "
      + "\(counted(files, "file")), \(ByteSize.text(tag.size))\n"
    text += plan.listings(of: tag.tag).map(line).joined()
    text += "  a request for it downloads, in this order, what is not there yet:\n"
    var table = TextTable([.right, .left, .right, .right, .left])
    for (place, number) in plan.order(of: tag).enumerated() {
      let pack = plan.packs[number]
      table.add(
        "\(place + 1)", setNotation(pack.tags), counted(pack.files.count, "file"), ByteSize.text(pack.size),
        pack.delivery.title)
    }
    text += table.text(indentation: 4)
    let rules = plan.rules(giving: tag.tag)
    text += "  given by \(counted(rules.count, "rule")):\n"
    for rule in rules { text += "    \(place(rule.text)): \(rule.kind)\n" }
    return text
  }

  private func text(of number: Int) -> String {
    let pack = plan.packs[number]
    var text =
      "pack \(setNotation(pack.tags)): \(counted(pack.files.count, "file")), \(ByteSize.text(pack.size))\n"
    text += "  id: \(displayed(pack.identity.identifier))\n  name: \(displayed(pack.identity.name))\n"
    text += delivery(of: number) + requests(for: pack) + "  files:\n"
    var table = TextTable([.right, .left])
    for number in pack.files {
      table.add(grouped(plan.tree.files[number].size), displayed(plan.tree.files[number].packPath))
    }
    return text + table.text(indentation: 4)
  }
}

// What several of these texts say.
extension SubjectText {
  /// When a pack is downloaded, where in the order, and which tag of the manifest's lists decides it.
  private func delivery(of number: Int) -> String {
    let pack = plan.packs[number]
    var text = "  delivery: \(pack.delivery.title)"
    if let place = plan.place(ofPack: number) {
      text += ", place \(place) of \(plan.order(of: pack.delivery).count)"
    }
    text += (pack.priority.map { ", priority \(PlanText.rounded($0))" } ?? "") + "\n"
    return text + plan.listings(ofPack: number).map(line).joined()
  }

  private func line(of listing: TagListing) -> String {
    "    \(place(listing.tag)): \(quoted(listing.tag.value)) is number \(listing.number) of \(quoted(listing.key))\n"
  }

  private func requests(for pack: AssetPack) -> String {
    let tags = pack.tags.map { quoted($0) }.joined(separator: " or ")
    return "  a request for \(tags) downloads it, \(ByteSize.text(pack.size))\n"
  }

  private func claim(of rule: ResourceRule) -> String {
    "\(place(rule.text)): \(rule.kind) gives \(listed(rule.tags.map(\.value)))"
  }

  private func place(_ value: Located<String>) -> String {
    let place = plan.manifest.text.place(at: value.offset)
    return displayed(place.path) + (place.position.map { ":\($0.line):\($0.column)" } ?? "")
  }
}

extension ResourceRule {
  /// The key that its pattern has in a manifest.
  var patternKey: String {
    switch pattern {
    case .path: "path"
    case .glob: "glob"
    }
  }

  /// `path "Levels/1"` or `glob "Music/*.ogg"`.
  fileprivate var kind: String { "\(patternKey) \(quoted(text.value))" }
}
