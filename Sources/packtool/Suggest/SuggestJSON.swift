import Formats
import PackKit
import Projects

/// What a trace suggests, for programs.
struct SuggestJSON {
  private let report: SuggestReport

  init(_ report: SuggestReport) {
    self.report = report
  }

  var json: JSONText {
    let advice = report.advice
    return report.findings.document([
      "scenes": .array(advice.scenes.map(scene)),
      "tags": .array(advice.tags.map(tag)),
      "initialInstallTags": .strings(advice.initialInstallTags),
      "prefetchTagOrder": .strings(advice.prefetchTagOrder),
      "neverLoaded": .array(advice.neverLoaded.map(file)),
      "untagged": .array((advice.untagged + advice.untaggedAtStart).map(file)),
      "missing": .strings(advice.missing),
      "elsewhere": .integer(advice.elsewhereCount),
    ])
  }

  private func scene(_ scene: TraceAdvice.Scene) -> JSONText {
    .object([
      "name": .string(scene.name), "start": .real(scene.start), "fileCount": .integer(scene.fileCount),
      "size": .integer(scene.size),
    ])
  }

  private func tag(_ use: TraceAdvice.TagUse) -> JSONText {
    .object([
      "tag": .string(use.tag), "first": use.first.map(JSONText.real) ?? .null,
      "scene": use.scene.map(JSONText.string) ?? .null, "loadedFiles": .integer(use.loadedCount),
      "fileCount": .integer(use.fileCount),
    ])
  }

  private func file(_ file: TraceAdvice.FileAdvice) -> JSONText {
    .object([
      "path": .string(file.path), "size": .integer(file.size), "scenes": .strings(file.scenes),
      "tags": .strings(file.tags),
    ])
  }
}
