import Findings
import PackKit
import Releases
import System

struct SlicesReport: Sendable {
  /// The release for all devices, whose packs each slice has, some perhaps empty.
  let release: Release
  /// The size of the app bundle in bytes; nil if unknown.
  let appSize: Int64?
  /// The slices, each with its classes; the largest first.
  let slices: [ReleaseSlice]
  /// Each class with its slice, in the order of the table.
  let devices: [(device: DeviceClass, slice: Release)]

  init(_ release: Release, _ slices: [ReleaseSlice], for classes: [DeviceClass], appSize: Int64?) {
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
      Release(of: plan), Slices(of: plan, for: classes).releases(of: plan), for: classes, appSize: appSize)
  }

  /// The slice with most of what is downloaded before anybody asks; nil without classes.
  var dearest: ReleaseSlice? {
    func size(_ slice: ReleaseSlice) -> Int64 {
      slice.release.count(of: .initialInstall).size.saturatingSum(
        with: slice.release.count(of: .prefetch).size)
    }
    return slices.max { size($0) < size($1) }
  }

  /// The smallest and the largest of a size; nil without classes.
  func range(of size: (Release) -> Int64) -> DeviceRange? {
    DeviceRange(on: devices.map(\.device)) { size(devices[$0].slice) }
  }

  /// The ranges of the deliveries that have packs, each with those of its packs in the order of downloads, and of all.
  var ranges: [SliceRange] {
    let deliveries = Delivery.allCases.filter { !release.order(of: $0).isEmpty }
    return deliveries.flatMap { delivery in
      [range(delivery.title) { $0.count(of: delivery).size }]
        + release.order(of: delivery).map { number in
          range(release.packs[number].label, isPack: true) { $0.packs[number].size }
        }
    }.compactMap(\.self) + [range("all packs") { $0.total.size }].compactMap(\.self)
  }

  private func range(_ title: String, isPack: Bool = false, _ size: (Release) -> Int64) -> SliceRange? {
    range(of: size).map { SliceRange(title: title, isPack: isPack, range: $0) }
  }
}

/// The smallest and the largest that a class of devices gets of something.
struct SliceRange: Sendable {
  /// A delivery, a pack by its tags, or all packs.
  let title: String
  let isPack: Bool
  let range: DeviceRange

  var spread: Int64 { range.most.size - range.least.size }

  var isSame: Bool { spread == 0 }

  var leastDevice: String { isSame ? "all" : range.least.device.name }

  var mostDevice: String { isSame ? "all" : range.most.device.name }
}

extension SlicesReport {
  /// Of each delivery and pack the smallest and the largest, for a pull request.
  var markdown: Written<MarkdownForm> { markdown(of: ranges) }

  /// The rows of deliveries, and of all packs.
  var markdownSums: Written<MarkdownForm> { markdown(of: ranges.filter { !$0.isPack }) }

  private func markdown(of ranges: [SliceRange]) -> Written<MarkdownForm> {
    if ranges.isEmpty { return "" }
    return "\n"
      + table(ranges, titled: counted(devices.count, "device class", plural: "device classes"), \.title)
      .markdown()
  }

  private func table(
    _ ranges: [SliceRange], titled title: String, _ name: @escaping (SliceRange) -> String
  ) -> Table<SliceRange> {
    Table(
      ranges, .text(title, name), .size("smallest", \.range.least.size), .text("on", \.leastDevice),
      .size("largest", \.range.most.size), .text("on", \.mostDevice))
  }

  /// The same for people.
  var text: PlainText {
    let count = devices.count
    if count == 0 { return "\nno file is a variant: every device gets all of it\n" }
    let table = table(ranges, titled: "") {
      ($0.isPack ? "  " : "") + displayed($0.title)
    }
    return
      "\n\(counted(count, "device class", plural: "device classes")), of each pack the smallest and the largest:\n"
      + table.text(indentation: 2)
  }
}

extension DeviceReach {
  /// A sentence for each download: `3 of 51 device classes download 12.0 MB, such as "phone 3x P3 8 GB APPLE9"`.
  var sentences: [String] {
    let all = counted(count, "device class", plural: "device classes")
    return groups.map { group in
      let download = group.download == 0 ? "nothing" : ByteSize.text(group.download)
      let example = group.devices.first.map { ", such as \(quoted($0.name))" } ?? ""
      let verb = group.devices.count == 1 ? "downloads" : "download"
      return "\(grouped(group.devices.count)) of \(all) \(verb) \(download)\(example)"
    }
  }
}
