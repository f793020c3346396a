import Foundation

/// What a terminal shows of a run: its tags as bars while it lasts, and what happened.
struct Gauge {
  /// The bytes of each tag's packs.
  let sizes: [String: Int64]
  private let isLive = isatty(STDOUT_FILENO) == 1
  private var said = 0
  private var height = 0

  init(sizes: [String: Int64]) { self.sizes = sizes }

  /// Writes what is new since the last time.
  mutating func show(_ record: Player.Record) {
    var text = height > 0 ? "\u{1b}[\(height)A\u{1b}[J" : ""
    for line in record.lines.dropFirst(said) { text += "\(seconds(line.time))  \(line.text)\n" }
    said = record.lines.count
    let bars = isLive ? bars(of: record.requests) : []
    text += bars.joined()
    height = bars.count
    FileHandle.standardOutput.write(Data(text.utf8))
  }

  /// A line for each tag that was asked for: how much is there, its bytes, and who uses it.
  private func bars(of requests: [Player.Request]) -> [String] {
    Set(requests.flatMap(\.tags)).sorted().map { tag in
      let all = requests.filter { $0.tags.contains(tag) }
      let open = all.filter { $0.ended == nil && $0.error == nil }
      let fraction = open.map(\.fraction).max() ?? 0
      let full = Int(fraction * 30)
      let bar = String(repeating: "█", count: full) + String(repeating: "░", count: 30 - full)
      let users = open.count { $0.available != nil }
      let state = open.isEmpty ? "not in use" : users > 0 ? "in use by \(users)" : "loading \(Int(fraction * 100)) %"
      let size = ByteCountFormatter.string(fromByteCount: sizes[tag] ?? 0, countStyle: .file)
      return "  \(bar)  \(tag), \(size): \(state)\n"
    }
  }
}

/// Seconds in a column of their own.
func seconds(_ time: Int64?) -> String {
  guard let time else { return "        –" }
  return String(format: "%7.3f s", Double(time) / 1_000_000)
}

/// What `packtool simulate --format json` has of the same scenario.
struct Simulated: Decodable {
  struct Request: Decodable {
    let name: String
    let available: Int64?
    let waited: Int64
    let error: String?
  }

  struct Summary: Decodable {
    let installed: Int64?
    let stalls: Int
    let stalled: Int64
  }

  let requests: [Request]
  let summary: Summary
}

/// Both runs side by side: when requests were there, how long the player waited, and how each ended.
func table(_ record: Player.Record, _ simulated: Simulated?) -> String {
  func row(_ name: String, _ model: String, _ real: String) -> String {
    let padded = name.padding(toLength: 34, withPad: " ", startingAt: 0)
    return padded + (simulated == nil ? "" : model + "  ") + real + "\n"
  }
  var text = "\n" + row("", "simulated", " measured")
  text += row("installed", seconds(simulated?.summary.installed), seconds(record.installed))
  for (number, request) in record.requests.enumerated() {
    let model = simulated.flatMap { $0.requests.indices.contains(number) ? $0.requests[number] : nil }
    text += row("\(request.name): there", seconds(model?.available), seconds(request.available))
    if request.waited > 0 || model?.waited ?? 0 > 0 {
      text += row("\(request.name): waited", seconds(model?.waited), seconds(request.waited))
    }
    if let error = request.error ?? model?.error { text += "  \(request.name): \(error)\n" }
  }
  text += row("stalls", String(format: "%9d", simulated?.summary.stalls ?? 0), String(format: "%9d", record.stalls))
  return text + row("stalled", seconds(simulated?.summary.stalled), seconds(record.stalled))
}
