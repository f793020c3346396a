import Formats
import PackKit

/// How a plan comes to fewer packs, for programs.
struct MergeJSON {
  private let merge: MergePlan
  private let release: Release

  init(_ merge: MergePlan, _ release: Release) {
    self.merge = merge
    self.release = release
  }

  var json: JSONText {
    .object([
      "packs": .integer(merge.steps.last?.packCount ?? release.packs.count),
      "steps": .array(merge.steps.map(json)),
      "groups": .array(merge.groups.map { .strings($0.map(name)) }),
    ])
  }

  private func json(of step: MergePlan.Step) -> JSONText {
    .object([
      "joined": .array(step.packs.map { .strings($0.map(name)) }), "tags": .strings(step.tags),
      "packs": .integer(step.packCount), "forNothing": .integer(step.size),
      "requests": .array(step.requests.map { json(of: $0.request, $0.size) }),
    ])
  }

  private func json(of request: MergePlan.Request, _ size: Int64) -> JSONText {
    switch request {
    case .tag(let tag): .object(["tag": .string(tag), "forNothing": .integer(size)])
    case .initialInstall: .object(["delivery": .string("initialInstall"), "forNothing": .integer(size)])
    case .prefetch: .object(["delivery": .string("prefetch"), "forNothing": .integer(size)])
    }
  }

  /// A pack by its tags with "+" between, as "merge" in a manifest names it.
  private func name(_ pack: Int) -> String { release.packs[pack].tags.joined(separator: "+") }
}
