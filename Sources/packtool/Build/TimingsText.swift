import PackKit

/// The durations of all phases as a table.
enum TimingsText {
  static func text(of timings: Timings) -> PlainText {
    let entries = timings.all
    let packing = entries[.pack]?.seconds ?? 0
    var table = TextTable([.left, .right, .right, .right])
    table.add("phase", "seconds", "MB/s", "cores")
    for phase in Timings.Phase.allCases {
      guard let entry = entries[phase] else { continue }
      let isPart = phase.isPartOfPacking
      // Parts of packing overlap: they are told in processor seconds, which add up.
      let seconds = isPart ? entry.processorSeconds : entry.seconds
      let speed = entry.bytes > 0 && seconds > 0 ? decimal(Double(entry.bytes) / 1e6 / seconds, 0) : ""
      let cores = ratio(entry.processorSeconds, isPart ? packing : entry.seconds)
      table.add((isPart ? "  " : "") + phase.rawValue, decimal(seconds, 3), speed, cores)
    }
    return table.text()
  }

  private static func ratio(_ part: Double, _ whole: Double) -> String {
    whole > 0 ? decimal(part / whole, 2) : ""
  }

  /// A number with a fixed number of decimals.
  private static func decimal(_ value: Double, _ digits: Int) -> String {
    let scale = (0..<digits).reduce(1) { scale, _ in scale * 10 }
    let scaled = Int((value * Double(scale)).rounded())
    if digits == 0 { return "\(scaled)" }
    let fraction = String(scaled % scale)
    return "\(scaled / scale).\(String(repeating: "0", count: digits - fraction.count))\(fraction)"
  }
}
