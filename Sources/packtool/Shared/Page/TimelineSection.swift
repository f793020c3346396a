import Formats
import Inspect
import Model
import Pipeline
import Play
import System

extension ReportFacts {
  var timelineSection: HTML? {
    if timeline.parts.isEmpty { return nil }
    return .picture(
      height: height, label: "Downloads in their order, by bytes",
      content: bars + lines + timeline.links.enumerated().map(ruler))
      + table + .note(note)
  }

  private var top: Int { 8 + 13 * shownLimits.count }
  private var height: Int { top + 56 + 26 * timeline.links.count }

  /// The limits in bytes that apply to a first download.
  ///
  /// `shownLimits` contains the limits that are near enough to be drawn.
  private var earlyLimits: [LimitUse] {
    limits.filter { [.cellularSize, .initialInstallSize, .prefetchSize].contains($0.kind) }
  }

  /// The number of bytes that the whole width stands for.
  ///
  /// The width covers all downloads, and the limits that are not far above them.
  private var scale: Double {
    let end = Double(max(1, timeline.end))
    let near = earlyLimits.map { Double(position(of: $0)) }.filter { $0 < end * 1.6 }.max() ?? 0
    return max(end, near) * 1.02
  }

  private var shownLimits: [LimitUse] { earlyLimits.filter { Double(position(of: $0)) <= scale } }

  /// Returns the position of a limit on the axis.
  ///
  /// The positions of limits for packs are counted from the end of the app's download.
  private func position(of use: LimitUse) -> Int64 {
    use.kind == .cellularSize ? use.allowed : timeline.appEnd.saturatingSum(with: use.allowed)
  }

  private func x(_ bytes: Int64) -> Double { Double(bytes) / scale * 1000 }

  private var bars: [HTML] {
    timeline.parts.prefix(400).map { part in
      let width = max(0.3, x(part.to) - x(part.from) - 0.5)
      let pack = part.pack.map { release.packs[$0] }
      let mark = pack?.delivery.mark ?? .untagged
      let name = pack.map { names.name(of: $0.tags) } ?? "the app"
      let label: HTML =
        width > 70
        ? "<text class=\"\(mark.name)t\" x=\"\(x(part.from) + 4)\" y=\"\(top + 16)\" fill=\"\(mark.ink)\">\(name.cut(toColumns: HTML.columns(in: width - 6)), upTo: 100)</text>"
        : ""
      return """
        <g><title>\(name, upTo: 140)
        \(ByteSize.text(part.to - part.from))</title><rect class="\(mark.name)" x="\(x(part.from))" y="\(top)" width="\(width)" height="24" fill="\(mark.color)"/>\(label)</g>

        """
    }
  }

  private var lines: [HTML] {
    shownLimits.enumerated().map { row, use in
      let place = x(position(of: use))
      let anchor: HTML = place > 500 ? "end" : "start"
      return """
        <line class="lim" x1="\(place)" y1="\(4 + row * 13)" x2="\(place)" y2="\(top + 32)" stroke="#a4262c" stroke-dasharray="4 2"/><text class="t" x="\(place + (place > 500 ? -4 : 4))" y="\(11 + row * 13)" text-anchor="\(anchor)" fill="#a4262c">\(use.kind.title): \(use.text(use.allowed))</text>

        """
    }
  }

  private func ruler(_ row: Int, network: LoadTimeline.Link) -> HTML {
    let y = top + 52 + row * 26
    let marks = [(timeline.initialEnd, network.initialInstall), (timeline.end, network.prefetch)]
    let ticks = marks.enumerated().map { number, mark -> HTML in
      if number == 1 && timeline.end == timeline.initialEnd { return "" }
      let place = x(mark.0)
      return """
        <line class="axis" x1="\(place)" y1="\(y - 6)" x2="\(place)" y2="\(y + 2)" stroke="#555555"/><text class="t" x="\(max(place, 160))" y="\(y + 14)" text-anchor="end" fill="#111111">\(TimeText.text(mark.1))</text>
        """
    }
    return """
      <line class="axis" x1="0" y1="\(y - 2)" x2="\(x(timeline.end))" y2="\(y - 2)" stroke="#555555"/><text class="t" x="0" y="\(y + 14)" fill="#111111">\(network.name)</text>\(ticks)

      """
  }

  private var table: HTML {
    func time(_ title: String, time: @escaping (LoadTimeline.Link) -> Int64?)
      -> Table<LoadTimeline.Link>.Column
    {
      .number(title, by: time) { time($0).map(TimeText.text) ?? "–" }
    }
    return Table(
      timeline.links, columns: .text("network", text: \.name), time("the app", time: \.app),
      time("and the initial install: playable", time: \.initialInstall),
      time("and the prefetch", time: \.prefetch)
    ).html("Time until each download ends, over three networks")
  }

  private var note: String {
    let size =
      "Lengths show sizes, as limits count them; times are for "
      + (timeline.isPacked
        ? "the compressed bytes that devices download."
        : "uncompressed bytes, because nothing is built; the compressed bytes of a build download faster.")
    let device =
      timeline.device.map {
        " They are the sizes on \(quoted($0.name)), the device class that gets the most bytes."
      } ?? ""
    return size + device
      + (timeline.appEnd == 0
        ? " The size of the app is unknown; to include it, add \"appBundle\" to the manifest." : "")
  }
}

/// The downloads before any request: the app, the initial install and the prefetch, one after the other.
struct LoadTimeline: Sendable {
  /// The times at which the downloads over a network end, in microseconds.
  struct Link: Sendable {
    let name: String
    /// The end of the app's download; nil if the size of the app is unknown.
    let app: Int64?
    let initialInstall: Int64
    let prefetch: Int64
  }

  /// One of the downloads.
  struct Part: Sendable {
    /// The index of the pack; nil for the app.
    let pack: Int?
    /// The number of uncompressed bytes before this download.
    let from: Int64
    /// The number of uncompressed bytes up to the end of this download.
    let to: Int64
  }

  let parts: [Part]
  let links: [Link]
  let appEnd: Int64
  let initialEnd: Int64
  let end: Int64
  /// Whether the times are computed from the packs' compressed sizes.
  ///
  /// The time for the app is always computed from the size of the app.
  let isPacked: Bool
  /// The device class with the largest downloads.
  ///
  /// The timeline shows these downloads. It is nil if all devices get the same files.
  let device: DeviceClass?

  init(_ release: Release, on device: DeviceClass? = nil, appSize: Int64?) {
    self.device = device
    let initial = release.orderOnDevice(of: .initialInstall)
    let order = initial + release.orderOnDevice(of: .prefetch)
    let isPacked = !order.isEmpty && release.packedSize(of: order) != nil
    var parts: [Part] = []
    // The number of bytes that have been downloaded after each part.
    var loaded: [Int64] = []
    func add(_ pack: Int?, size: Int64, downloadSize: Int64) {
      let from = parts.last?.to ?? 0
      parts.append(Part(pack: pack, from: from, to: from.saturatingSum(with: size)))
      loaded.append((loaded.last ?? 0).saturatingSum(with: downloadSize))
    }
    if let appSize { add(nil, size: appSize, downloadSize: appSize) }
    for number in order {
      let pack = release.packs[number]
      add(number, size: pack.size, downloadSize: isPacked ? pack.packedSize ?? pack.size : pack.size)
    }
    let appCount = appSize == nil ? 0 : 1
    let initialCount = initial.count + appCount
    func end(after count: Int) -> Int64 { count == 0 ? 0 : parts[count - 1].to }
    appEnd = end(after: appCount)
    initialEnd = end(after: initialCount)
    self.end = end(after: parts.count)
    func time(after count: Int, network: NetworkProfile) -> Int64 {
      count == 0 ? 0 : Self.time(loaded[count - 1], packs: Int64(count), network: network)
    }
    links = ["3G", "LTE", "Wi-Fi 802.11ac"].compactMap { name in
      NetworkProfile.named(name).map { network in
        Link(
          name: name, app: appSize == nil ? nil : time(after: appCount, network: network),
          initialInstall: time(after: initialCount, network: network),
          prefetch: time(after: parts.count, network: network))
      }
    }
    self.parts = parts
    self.isPacked = isPacked
  }

  /// Returns the number of microseconds that it takes to download a number of bytes in a number of packs.
  ///
  /// For each pack, the time until its first byte is added.
  private static func time(_ bytes: Int64, packs: Int64, network: NetworkProfile) -> Int64 {
    let (waiting, overflows) = packs.multipliedReportingOverflow(by: network.latency)
    return (network.time(for: bytes) ?? .max).saturatingSum(with: overflows ? .max : waiting)
  }
}
