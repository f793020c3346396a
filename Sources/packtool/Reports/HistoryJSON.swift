import Formats
import Releases

/// A history for programs.
struct HistoryJSON {
  private let history: History

  init(_ history: History) {
    self.history = history
  }

  var text: String {
    JSONText.object([
      "formatVersion": .integer(1),
      "releases": .array(history.releases.map { .string($0.name) }),
      "updates": .array(history.updates.map(json)),
      "packs": .array(history.packs.map(json)),
      "files": .array(history.files.map(json)),
      "tags": .array(history.tags.map(json)),
      "proposals": .array(history.splits.map(json)),
      "download": .integer(history.total.byPacks),
      "saving": .integer(history.saving),
    ]).text
  }

  private func json(of update: Comparison) -> JSONText {
    .object([
      "old": .string(update.old.name), "new": .string(update.new.name),
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
