import Formats
import Releases

/// A history for programs.
struct HistoryJSON {
  private let history: HistoryReport

  init(_ history: HistoryReport) {
    self.history = history
  }

  var json: JSONText {
    .object([
      "formatVersion": .integer(1),
      "releases": .strings(history.releases),
      "updates": .array(history.updates.map(json)),
      "packs": .array(history.packs.map(json)),
      "files": .array(history.files.map(json)),
      "tags": .array(history.tags.map(json)),
      "proposals": .array(history.splits.map(json)),
      "download": .integer(history.total.byPacks),
      "saving": .integer(history.saving),
    ])
  }

  private func json(of update: UpdateSummary) -> JSONText {
    .object([
      "old": .string(update.old), "new": .string(update.new),
      "summary": .object(UpdateJSON.summary(of: update)),
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
