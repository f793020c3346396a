import Formats
import PackKit
import Published
import Releases
import System

extension UpdateReport {
  var json: JSONText {
    .object(known: [
      "formatVersion": .integer(1),
      "old": .string(update.old.name),
      "new": .string(update.new.name),
      "packs": .array(update.packs.map(update.json)),
      "summary": .object(summary.json),
      "deliveries": .object(
        Dictionary(
          uniqueKeysWithValues: deliveries.map { ($0.delivery.rawValue, .object($0.download.json)) })),
      "tags": .object(
        Dictionary(tags.map { ($0.tag, .object($0.download.json)) }) { first, _ in first }),
      "users": .array(users.map(json)),
      "movedFiles": .array(update.moves.map(update.json)),
      "remarks": .array(remarks.map(\.json)),
      "devices": reach.map { .array($0.groups.map(Self.json)) },
      "oldRelease": update.old.release.edition.map { .integer($0.number) },
      "newRelease": update.new.release.edition.map { .integer($0.number) },
    ])
  }

  private static func json(of group: DeviceReach.Group) -> JSONText {
    .object([
      "download": .integer(group.download), "names": .strings(group.devices.map(\.name)),
    ])
  }

  private func json(of user: (name: String, user: User, download: Download)) -> JSONText {
    var members = user.download.json
    switch user.user {
    case .everything: members["has"] = .string("everything")
    case .initialInstall: members["has"] = .string("initialInstall")
    case .having(let tags):
      members["has"] = .string("tags")
      members["tags"] = .strings(tags)
    }
    return .object(members)
  }
}

extension Comparison {
  fileprivate func json(of change: PackChange) -> JSONText {
    .object(known: [
      "id": .string(change.id),
      "tags": .strings(change.tags),
      "delivery": .string(delivery(of: change).rawValue),
      "status": .string(change.status.rawValue),
      "size": .integer(change.size),
      "oldSize": .integer(change.oldSize),
      "addedFiles": .integer(Int64(change.count(.added))),
      "removedFiles": .integer(Int64(change.count(.removed))),
      "changedFiles": .integer(Int64(change.count(.changed))),
      "download": .integer(change.download),
      "fileBytes": .integer(change.fileBytes),
      "isRepacked": .bool(change.isRepacked),
      "files": .array(change.files.map(json)),
      "packed": change.packedSize.map(JSONText.integer),
      "oldPacked": change.oldPackedSize.map(JSONText.integer),
      "downloadPacked": change.packedDownload.map(JSONText.integer),
      "patch": change.patchSize.map(JSONText.integer),
      "version": change.version.map(JSONText.integer),
      "oldVersion": change.oldVersion.map(JSONText.integer),
    ])
  }

  fileprivate func json(of file: PackChange.File) -> JSONText {
    var members: [String: JSONText] = [
      "path": .string(path(of: file)), "change": .string(file.change.rawValue),
    ]
    let sizes = sizes(of: file)
    members["size"] = sizes.new.map(JSONText.integer)
    members["oldSize"] = sizes.old.map(JSONText.integer)
    members["sameContentAs"] = file.twin.map { .string(old.path($0)) }
    if let other = otherPack(of: file) {
      members[other.isSource ? "movedFrom" : "movedTo"] = .string(other.id)
    }
    return .object(members)
  }

  fileprivate func json(of move: Move) -> JSONText {
    return .object([
      "path": .string(new.path(move.file)),
      "size": .integer(new.contents.size(Int(move.file))),
      "from": .string(old.packs[move.from].id),
      "to": .string(new.packs[move.to].id),
      "isChanged": .bool(move.isChanged),
    ])
  }
}

extension UpdateSummary {
  fileprivate var json: [String: JSONText] {
    var summary: [String: JSONText] = [
      "downloadByPacks": .integer(total.byPacks), "downloadByFiles": .integer(total.byFiles),
      "downloadByContent": .integer(total.byContent),
    ]
    for count in counts {
      var members: [String: JSONText] = ["packs": .integer(count.packs), "size": .integer(count.size)]
      members["packed"] = count.packed.map(JSONText.integer)
      summary[count.status.rawValue] = .object(members)
    }
    summary["downloadPacked"] = total.packed.map(JSONText.integer)
    summary["downloadPatched"] = total.patched.map(JSONText.integer)
    summary["downloadIndex"] = total.index.map(JSONText.integer)
    return summary
  }
}

extension Download {
  var json: [String: JSONText] {
    var members: [String: JSONText] = [
      "packs": .integer(packs), "downloadByPacks": .integer(byPacks),
      "downloadByFiles": .integer(byFiles), "downloadByContent": .integer(byContent),
    ]
    members["downloadPacked"] = packed.map(JSONText.integer)
    members["downloadPatched"] = patched.map(JSONText.integer)
    return members
  }
}

extension Remark {
  var json: JSONText {
    .object(known: [
      "kind": .string(kind.rawValue), "message": .string(message),
      "tags": tags.isEmpty ? nil : .strings(tags),
      "files": files.isEmpty ? nil : .strings(files),
      "proposedTag": proposedTag.map(JSONText.string),
      "saving": saving > 0 ? .integer(saving) : nil,
    ])
  }
}

extension History {
  var json: JSONText {
    let splits = splits
    return .object([
      "formatVersion": .integer(1),
      "releases": .strings(releases.map(\.name)),
      "updates": .array(summaries.map(json)),
      "packs": .array(packs.map(json)),
      "files": .array(files.map(json)),
      "tags": .array(tags.map(json)),
      "proposals": .array(splits.map(json)),
      "download": .integer(total.byPacks),
      "saving": .integer(splits.saturatingSum(\.saving)),
    ])
  }

  private func json(of update: UpdateSummary) -> JSONText {
    .object([
      "old": .string(update.old), "new": .string(update.new),
      "summary": .object(update.json),
    ])
  }

  private func json(of pack: History.Pack) -> JSONText {
    .object([
      "id": .string(pack.id), "tags": .strings(pack.tags),
      "updates": .integer(pack.updates), "changes": .integer(pack.changes),
      "download": .integer(pack.download), "fileBytes": .integer(pack.fileBytes),
    ])
  }

  private func json(of file: History.File) -> JSONText {
    .object([
      "path": .string(file.path), "changes": .integer(file.changes), "size": .integer(file.size),
    ])
  }

  private func json(of tag: History.Tag) -> JSONText {
    var members = tag.download.json
    members["tag"] = .string(tag.tag)
    members["updates"] = .integer(tag.updates)
    return .object(members)
  }

  private func json(of split: VolatileSplit) -> JSONText {
    .object([
      "id": .string(split.id), "tags": .strings(split.tags),
      "proposedTag": .string(split.proposedTag), "files": .strings(split.files),
      "changes": .integer(split.changes), "download": .integer(split.download),
      "possible": .integer(split.possible), "saving": .integer(split.saving),
      "message": .string(split.message),
    ])
  }
}
