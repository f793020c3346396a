import Formats
import Inspect
import Model
import Pipeline
import System

struct SlicesReport: Sendable {
  /// The release for all devices.
  ///
  /// Each slice has all packs of this release, but some packs can be empty in a slice.
  let release: Release
  /// The size of the app bundle in bytes; nil if unknown.
  let appSize: Int64?
  /// The slices with their device classes, the largest slice first.
  let slices: [ReleaseSlice]
  let devices: [(device: DeviceClass, slice: Release)]

  init(_ release: Release, slices: [ReleaseSlice], for classes: [DeviceClass], appSize: Int64?) {
    self.release = release
    self.appSize = appSize
    self.slices = slices.sorted { $0.release.total.size > $1.release.total.size }
    let releases = Dictionary(slices.flatMap { slice in slice.devices.map { ($0, slice.release) } }) {
      first, _ in first
    }
    devices = classes.compactMap { device in releases[device].map { (device, $0) } }
  }

  init(of plan: PackPlan, for classes: [DeviceClass], appSize: Int64?) {
    self.init(
      Release(of: plan), slices: Slices(of: plan, for: classes).releases(of: plan), for: classes,
      appSize: appSize)
  }

  /// The slice whose initial install and prefetch together are largest; nil if there are no device classes.
  var largestDownload: ReleaseSlice? {
    func size(_ slice: ReleaseSlice) -> Int64 {
      slice.release.count(of: .initialInstall).size.saturatingSum(
        with: slice.release.count(of: .prefetch).size)
    }
    return slices.max { size($0) < size($1) }
  }

  /// Returns the smallest and the largest value of a size over all slices; nil if there are no device
  /// classes.
  func range(of size: (Release) -> Int64) -> DeviceRange? {
    DeviceRange(on: devices.map(\.device)) { size(devices[$0].slice) }
  }

  /// The ranges of sizes.
  ///
  /// After each delivery mode that has packs come the packs of this delivery mode. The range of all packs
  /// together comes last.
  var ranges: [SliceRange] {
    let deliveries = Delivery.allCases.filter { !release.order(of: $0).isEmpty }
    return deliveries.flatMap { delivery in
      [range(delivery.title) { $0.count(of: delivery).size }]
        + release.order(of: delivery).map { number in
          packRange(number)
        }
    }.compactMap(\.self) + [range("all packs") { $0.total.size }].compactMap(\.self)
  }

  private func range(_ title: String, size: (Release) -> Int64) -> SliceRange? {
    range(of: size).map { SliceRange(title: title, isPack: false, range: $0) }
  }

  private func packRange(_ number: Int) -> SliceRange? {
    let title = release.packs[number].tags.joined(separator: " + ")
    return range { $0.packs[number].size }.map { SliceRange(title: title, isPack: true, range: $0) }
  }
}

struct SliceRange: Sendable {
  /// The name of the row: a delivery mode, the tags of a pack, or all packs.
  let title: String
  let isPack: Bool
  let range: DeviceRange

  var spread: Int64 { range.largest.size - range.smallest.size }

  var isSame: Bool { spread == 0 }

  var smallestDevice: String { isSame ? "all" : range.smallest.device.name }

  var largestDevice: String { isSame ? "all" : range.largest.device.name }
}

extension SlicesReport {
  func markdown(of ranges: [SliceRange]) -> Written<MarkdownForm> {
    if ranges.isEmpty { return "" }
    let count = counted(devices.count, of: "device class", plural: "device classes")
    return "\n" + table(ranges, name: .text(count, text: \.title)).markdown()
  }

  private func table(
    _ ranges: some Sequence<SliceRange>, name: Table<SliceRange>.Column
  ) -> Table<SliceRange> {
    Table(
      ranges, columns: name, .size("smallest", bytes: \.range.smallest.size),
      .text("on", text: \.smallestDevice),
      .size("largest", bytes: \.range.largest.size), .text("on", text: \.largestDevice))
  }

  var text: PlainText {
    let count = devices.count
    if count == 0 { return "\nno file is a variant: every device gets all files\n" }
    // A pack that is the same on all devices needs no row.
    let shown = ranges.filter { !$0.isPack || !$0.isSame }
    let same = ranges.count - shown.count
    let table = table(shown, name: .text { ($0.isPack ? "  " : "") + displayed($0.title) })
    let rest: PlainText =
      same == 0
      ? "" : "  \(counted(same, of: "more pack")) with the same size on every device class\n"
    return
      "\n\(counted(count, of: "device class", plural: "device classes")), with the smallest and the largest "
      + "for each pack:\n"
      + table.text(indentation: 2) + rest
  }
}

extension [DeviceDownload] {
  /// A sentence for each group of device classes, such as `3 of 51 device classes download 12.0 MB, such as
  /// "phone 3x P3 8 GB APPLE9"`.
  var sentences: [String] {
    let all = counted(reduce(0) { $0 + $1.devices.count }, of: "device class", plural: "device classes")
    return map { group in
      let download = group.download == 0 ? "nothing" : ByteSize.text(group.download)
      let example = group.devices.first.map { ", such as \(quoted($0.name))" } ?? ""
      let verb = group.devices.count == 1 ? "downloads" : "download"
      return "\(grouped(group.devices.count)) of \(all) \(verb) \(download)\(example)"
    }
  }
}

extension SlicesReport {
  private static let maxRows = 24

  /// Makes the section of a page; nil if there are no device classes.
  func html(_ detail: ReportDetail) -> HTML? {
    if devices.isEmpty { return nil }
    let ranges = ranges
    return "<p>\(summary)</p>\n" + picture(ranges) + table(ranges, detail: detail) + groups(detail)
  }

  private var summary: String {
    let count = counted(devices.count, of: "device class", plural: "device classes")
    return slices.count == 1
      ? "\(count) get the same files."
      : "\(count) get \(grouped(slices.count)) different sets of files: if a file has variants, a device "
        + "gets one of them."
  }

  private func picture(_ ranges: [SliceRange]) -> HTML {
    let bars = drawn(ranges).map { row -> HTML.Bar in
      let (smallest, largest) = (row.range.smallest.size, row.range.largest.size)
      let (small, large) = (ByteSize.text(smallest), ByteSize.text(largest))
      return HTML.Bar(
        name: row.title, isSum: !row.isPack,
        hover: "\(small) on \(row.smallestDevice), \(large) on \(row.largestDevice)",
        text: row.isSame ? small : "\(small) to \(large)", size: largest, dark: smallest)
    }
    return .legend([
      HTML.LegendEntry(cssClass: "i", color: "#1f4e8c", meaning: "the smallest size on a device"),
      HTML.LegendEntry(cssClass: "o", color: "#bcd3ee", meaning: "up to the largest size on a device"),
    ]) + .bars(bars, label: "Sizes on devices, from the smallest to the largest")
      + .leftOut(
        ranges.count - bars.count, noun: "pack", suffix: " that differ less, or not at all, are not drawn.")
  }

  private func drawn(_ ranges: [SliceRange]) -> [SliceRange] {
    let packs = ranges.indices.filter { ranges[$0].isPack && !ranges[$0].isSame }
    let chosen = Set(
      packs.sorted { (ranges[$1].spread, $0) < (ranges[$0].spread, $1) }.prefix(Self.maxRows))
    return ranges.indices.filter { !ranges[$0].isPack || chosen.contains($0) }.map { ranges[$0] }
  }

  private func table(_ ranges: [SliceRange], detail: ReportDetail) -> HTML {
    table(
      ranges.prefix(detail.rows),
      name: .markup("what") { $0.isPack ? "\($0.title, upTo: 160)" : "<strong>\($0.title)</strong>" }
    ).html(
      "The device classes with the smallest and the largest size of each delivery and pack; sizes are "
        + "uncompressed"
    )
      + .leftOut(ranges.count - detail.rows, noun: "more row", suffix: ": packtool plan --devices lists all.")
  }

  private func groups(_ detail: ReportDetail) -> HTML {
    let sizes = Delivery.allCases.map { delivery in
      Table<ReleaseSlice>.Column.size(delivery.title) { $0.release.count(of: delivery).size }
    }
    let more = slices.count - detail.rows
    return Table(
      slices.prefix(detail.rows),
      columns: [
        .text("device classes", upTo: 400) { listed($0.devices.map(\.name), atMost: 3) },
        .count("how many", count: \.devices.count),
      ] + sizes + [.size("all packs", bytes: \.release.total.size)]
    ).html("Devices that get the same files, the largest groups first")
      + .note(more > 0 ? "and \(grouped(more)) more" : nil)
  }
}

/// The smallest and the largest size among device classes.
struct DeviceRange: Sendable {
  /// A size on one device class.
  struct Bound: Sendable {
    let device: DeviceClass
    /// The size in bytes.
    let size: Int64
  }

  let smallest: Bound
  let largest: Bound

  /// Finds the smallest and the largest size over some device classes, each with the first class that has
  /// this size.
  ///
  /// Returns nil if there are no classes.
  init?(on devices: [DeviceClass], size: (Int) -> Int64) {
    let sizes = devices.indices.map(size)
    guard let smallest = sizes.min(), let largest = sizes.max(), let first = sizes.firstIndex(of: smallest),
      let last = sizes.firstIndex(of: largest)
    else { return nil }
    self.smallest = Bound(device: devices[first], size: smallest)
    self.largest = Bound(device: devices[last], size: largest)
  }
}
