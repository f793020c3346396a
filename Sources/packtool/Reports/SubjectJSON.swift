import Formats
import PackKit
import System

/// What `explain` says of something in a plan, for programs.
struct SubjectJSON {
  private let subject: Subject
  private let plan: PackPlan

  /// All that a word names in a plan, as one text.
  static func text(of subjects: [Subject], in plan: PackPlan) -> String {
    JSONText.object([
      "formatVersion": .integer(1),
      "subjects": .array(subjects.map { .object(SubjectJSON(subject: $0, plan: plan).members) }),
    ]).text
  }

  private var members: [String: JSONText] {
    switch subject {
    case .file(let number): members(ofFile: plan.tree.files[number])
    case .untaggedFile(let path): members(ofUntagged: path)
    case .folder(let path): members(ofFolder: path)
    case .tag(let number): members(of: plan.tags[number])
    case .pack(let number): members(of: number)
    }
  }

  private func members(ofFile file: AssetFile) -> [String: JSONText] {
    let tags = plan.tree.tagSets.tags(of: file.tagSet)
    var members: [String: JSONText] = [
      "kind": .string("file"), "path": .string(file.path), "packPath": .string(file.packPath),
      "size": .integer(file.size), "tags": .strings(tags),
      "rules": rules(RuleTracer(plan.manifest).trace(file.path).rules),
    ]
    members["pack"] = plan.pack(ofFile: file).map { .object(summary(ofPack: $0)) }
    return members
  }

  private func members(ofUntagged path: String) -> [String: JSONText] {
    var members: [String: JSONText] = ["kind": .string("file"), "path": .string(path), "tags": .array([])]
    if let exclusion = RuleTracer(plan.manifest).trace(path).exclusion {
      members["excludedBy"] = .string(exclusion)
    } else {
      members["nearRules"] = .array(
        NearRule.all(near: path, in: plan.manifest).map { near in
          .object(self.members(of: near.rule).merging(["reason": .string(near.reason)]) { first, _ in first })
        })
    }
    return members
  }

  private func members(ofFolder path: String) -> [String: JSONText] {
    let shares = plan.shares(ofFolder: path)
    let files = shares.flatMap(\.files)
    var members: [String: JSONText] = [
      "kind": .string("folder"), "path": .string(path), "fileCount": .integer(files.count),
      "size": .integer(shares.saturatingSum { $0.size }),
      "packs": .array(shares.map(json)),
      "rules": rules(plan.rules(ofFiles: files.sorted())),
    ]
    members["excludedBy"] =
      shares.isEmpty ? RuleTracer(plan.manifest).trace(path + "/x").exclusion.map(JSONText.string) : nil
    return members
  }

  private func members(of tag: PackPlan.TagSummary) -> [String: JSONText] {
    [
      "kind": .string("tag"), "tag": .string(tag.tag), "delivery": .string(tag.delivery.rawValue),
      "size": .integer(tag.size),
      "fileCount": .integer(tag.packs.reduce(0) { $0 + Int64(plan.packs[$1].files.count) }),
      "listings": listings(plan.listings(of: tag.tag)),
      "packs": .array(plan.order(of: tag).map { .object(summary(ofPack: $0)) }),
      "rules": rules(plan.rules(giving: tag.tag)),
    ]
  }

  private func members(of number: Int) -> [String: JSONText] {
    var members = summary(ofPack: number)
    members["kind"] = .string("pack")
    members["files"] = .array(
      plan.packs[number].files.map { number in
        let file = plan.tree.files[number]
        return .object(["path": .string(file.packPath), "size": .integer(file.size)])
      })
    return members
  }
}

// What several subjects have.
extension SubjectJSON {
  /// A pack as the index has it, with its place in the order and what decides it.
  private func summary(ofPack number: Int) -> [String: JSONText] {
    let pack = plan.packs[number]
    var members: [String: JSONText] = [
      "id": .string(pack.identity.identifier), "name": .string(pack.identity.name),
      "tags": .strings(pack.tags), "delivery": .string(pack.delivery.rawValue),
      "fileCount": .integer(pack.files.count), "size": .integer(pack.size),
      "listings": listings(plan.listings(ofPack: number)),
    ]
    members["priority"] = pack.priority.map(JSONText.real)
    members["place"] = plan.place(ofPack: number).map { .integer(Int64($0)) }
    return members
  }

  private func json(of share: PackShare) -> JSONText {
    let pack = plan.packs[share.pack]
    return .object([
      "id": .string(pack.identity.identifier), "tags": .strings(pack.tags),
      "delivery": .string(pack.delivery.rawValue), "fileCount": .integer(share.files.count),
      "size": .integer(share.size),
    ])
  }

  private func rules(_ rules: [ResourceRule]) -> JSONText { .array(rules.map { .object(members(of: $0)) }) }

  private func members(of rule: ResourceRule) -> [String: JSONText] {
    var members = place(of: rule.text)
    members[rule.patternKey] = .string(rule.text.value)
    members["tags"] = .array(rule.tags.map { .string($0.value) })
    return members
  }

  private func listings(_ listings: [TagListing]) -> JSONText {
    .array(
      listings.map { listing in
        var members = place(of: listing.tag)
        members["tag"] = .string(listing.tag.value)
        members["list"] = .string(listing.key)
        members["number"] = .integer(listing.number)
        return .object(members)
      })
  }

  private func place(of value: Located<String>) -> [String: JSONText] {
    plan.manifest.text.place(at: value.offset).json
  }
}
