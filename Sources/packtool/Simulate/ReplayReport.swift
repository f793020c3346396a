import Findings
import Formats
import Projects
import Simulation
import Releases

/// A log's measurements beside the model's.
extension Replay {
  /// Downloads that are shown, those that differ most.
  private static let mostShown = 30

  /// The text for people; `path` is that of the log as the user typed it.
  func text(path: String) -> PlainText {
    let sorted = downloads.enumerated().sorted { first, second in
      let excess = (Self.excess(first.element).magnitude, Self.excess(second.element).magnitude)
      return excess.0 == excess.1 ? first.offset < second.offset : excess.0 > excess.1
    }
    let table = Table(
      sorted.prefix(Self.mostShown).map(\.element),
      [
        .text("pack") { $0.tags.isEmpty ? quoted($0.pack) : setNotation($0.tags) }, .count("bytes", \.bytes),
        .number("measured") { TimeText.text($0.measured) }, .number("model") { TimeText.text($0.modelled) },
        .number("more") { Self.share($0.measured, $0.modelled) },
      ])
    let more = downloads.count - Self.mostShown
    let rest: PlainText = more > 0 ? "  and \(counted(more, "download")) that differ less\n" : ""
    return
      "\(displayed(path)): \(counted(downloads.count, "download")), \(ByteSize.text(size)) on "
      + "\(SimulationRun.name(of: link))\n\n" + table.text(indentation: 2) + rest
      + "\nin all \(TimeText.text(measured)), \(TimeText.text(modelled)) in the model "
      + "(\(Self.share(measured, modelled)))\n"
  }

  var json: JSONText {
    .object([
      "formatVersion": .integer(1),
      "link": SimulationResult.json(of: link),
      "downloads": .array(
        downloads.map { download in
          .object([
            "pack": .string(download.pack), "tags": .strings(download.tags),
            "bytes": .integer(download.bytes),
            "began": .integer(download.began), "measured": .integer(download.measured),
            "modelled": .integer(download.modelled),
          ])
        }),
      "summary": .object([
        "bytes": .integer(size), "measured": .integer(measured),
        "modelled": .integer(modelled),
      ]),
    ])
  }

  private static func excess(_ download: Download) -> Int64 { download.measured - download.modelled }

  /// How much more a time is than another, in percent.
  private static func share(_ time: Int64, _ model: Int64) -> String {
    if model == 0 { return "" }
    let tenths = ((Double(time) / Double(model) - 1) * 1000).rounded()
    return "\(tenths < 0 ? "-" : "+")\((tenths / 10).magnitude) %"
  }
}
