import Findings
import Formats
import Projects
import Simulation
import Releases

/// A log's measurements beside the model's.
struct ReplayReport {
  private let replay: Replay
  /// The log's path as the user typed it.
  private let path: String

  /// Downloads that are shown, those that differ most.
  private static let mostShown = 30

  init(_ replay: Replay, path: String) {
    self.replay = replay
    self.path = path
  }

  var text: PlainText {
    var table = TextTable([.left, .right, .right, .right, .right])
    table.add("pack", "bytes", "measured", "model", "more")
    let downloads = replay.downloads.enumerated().sorted { first, second in
      let excess = (Self.excess(first.element).magnitude, Self.excess(second.element).magnitude)
      return excess.0 == excess.1 ? first.offset < second.offset : excess.0 > excess.1
    }
    for (_, download) in downloads.prefix(Self.mostShown) {
      let name = download.tags.isEmpty ? quoted(download.pack) : setNotation(download.tags)
      table.add(
        name, grouped(download.bytes), TimeText.text(download.measured), TimeText.text(download.modelled),
        Self.share(download.measured, download.modelled))
    }
    let more = downloads.count - Self.mostShown
    let rest: PlainText = more > 0 ? "  and \(counted(more, "download")) that differ less\n" : ""
    return
      "\(displayed(path)): \(counted(replay.downloads.count, "download")), \(ByteSize.text(replay.size)) on "
      + "\(SimulationRun.name(of: replay.link))\n\n" + table.text(indentation: 2) + rest
      + "\nin all \(TimeText.text(replay.measured)), \(TimeText.text(replay.modelled)) in the model "
      + "(\(Self.share(replay.measured, replay.modelled)))\n"
  }

  var json: JSONText {
    .object([
      "formatVersion": .integer(1),
      "link": SimulationJSON.json(of: replay.link),
      "downloads": .array(
        replay.downloads.map { download in
          .object([
            "pack": .string(download.pack), "tags": .strings(download.tags),
            "bytes": .integer(download.bytes),
            "began": .integer(download.began), "measured": .integer(download.measured),
            "modelled": .integer(download.modelled),
          ])
        }),
      "summary": .object([
        "bytes": .integer(replay.size), "measured": .integer(replay.measured),
        "modelled": .integer(replay.modelled),
      ]),
    ])
  }

  private static func excess(_ download: Replay.Download) -> Int64 { download.measured - download.modelled }

  /// How much more a time is than another, in percent.
  private static func share(_ time: Int64, _ model: Int64) -> String {
    if model == 0 { return "" }
    let tenths = ((Double(time) / Double(model) - 1) * 1000).rounded()
    return "\(tenths < 0 ? "-" : "+")\((tenths / 10).magnitude) %"
  }
}
