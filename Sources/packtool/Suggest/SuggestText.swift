import Findings
import Formats
import PackKit
import Projects
import System

/// What a trace suggests, for people.
struct SuggestText {
  private let advice: TraceAdvice
  private let manifest: Manifest

  /// The number of files of one list that are named.
  private static let mostNamed = 20

  init(_ report: SuggestReport) {
    advice = report.advice
    manifest = report.plan.manifest
  }

  var text: PlainText { scenes + tags + lists + untagged + neverLoaded + missing }

  private var scenes: PlainText {
    var table = TextTable([.left, .right, .right, .right])
    for scene in advice.scenes {
      table.add(
        displayed(scene.name), Self.seconds(scene.start), counted(scene.fileCount, "file"),
        ByteSize.text(scene.size))
    }
    return "scenes, by their first load:\n" + table.text(indentation: 2)
  }

  private var tags: PlainText {
    var table = TextTable([.left, .right, .left, .right])
    for use in advice.tags {
      table.add(
        quoted(use.tag), use.first.map(Self.seconds) ?? "never", use.scene.map(displayed) ?? "",
        "\(grouped(use.loadedCount)) of \(counted(use.fileCount, "file"))")
    }
    return "tags, by the first load of their own files:\n" + table.text(indentation: 2)
  }

  private var lists: PlainText {
    "suggested lists:\n"
      + line("initialInstallTags", advice.initialInstallTags, now: manifest.initialInstallTags)
      + line("prefetchTagOrder", advice.prefetchTagOrder, now: manifest.prefetchTagOrder)
  }

  private func line(_ key: String, _ tags: [String], now: [Located<String>]) -> PlainText {
    let isSame = tags == now.map(\.value)
    let change: PlainText = isSame ? "  as it is\n" : "  now \(list(now.map(\.value)))\n"
    return "  \(json(key)): \(list(tags))\(change)"
  }

  private var untagged: PlainText {
    let rules = advice.untagged.map { file -> PlainText in
      "  { \"path\": \(json(file.path)), \"tags\": \(list(file.tags)) }  \(ByteSize.text(file.size))\n"
    }
    var text = part("loaded files without tags, and rules for them", rules, advice.untagged)
    if !advice.untaggedAtStart.isEmpty {
      let size = advice.untaggedAtStart.saturatingSum { $0.size }
      text +=
        "files without tags that the first scene loads: \(counted(advice.untaggedAtStart.count, "file")), "
        + "\(ByteSize.text(size)); they are in the app bundle already\n"
    }
    return text
  }

  private var neverLoaded: PlainText {
    let lines = advice.neverLoaded.map { file -> PlainText in
      "  \(displayed(file.path))  \(ByteSize.text(file.size))\n"
    }
    return part("tagged files that nobody loads", lines, advice.neverLoaded)
  }

  private var missing: PlainText {
    let lines = advice.missing.map { path -> PlainText in "  \(displayed(path))\n" }
    var text = part("paths of the trace that are no files below the root", lines, nil)
    if advice.elsewhereCount > 0 {
      text += "loads from outside the root: \(grouped(advice.elsewhereCount))\n"
    }
    return text
  }

  /// A heading with the first lines below it; empty without lines.
  private func part(
    _ heading: String, _ lines: [PlainText], _ files: [TraceAdvice.FileAdvice]?
  ) -> PlainText {
    if lines.isEmpty { return "" }
    let size = files.map { ", \(ByteSize.text($0.saturatingSum { $0.size }))" } ?? ""
    let more = lines.count - Self.mostNamed
    let rest: PlainText = more > 0 ? "  and \(grouped(more)) more\n" : ""
    return "\(heading): \(counted(lines.count, files == nil ? "path" : "file"))\(size)\n"
      + lines.prefix(Self.mostNamed).joined() + rest
  }

  private func list(_ tags: [String]) -> String { "[" + tags.map(json).joined(separator: ", ") + "]" }

  private func json(_ text: String) -> String {
    var buffer = ByteBuffer()
    buffer.append(json: text)
    return String(decoding: buffer.array(), as: UTF8.self)
  }

  /// Seconds with one decimal.
  private static func seconds(_ time: Double) -> String {
    let tenths = Int((min(time, 1e12) * 10).rounded())
    return "\(grouped(tenths / 10)).\(tenths % 10) s"
  }
}
