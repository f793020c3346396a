import Formats
import Model
import Pipeline
import System

extension PlanReport {
  var markdown: Written<MarkdownForm> {
    "### \(release.bundleIdentifier)\n\n" + deliveryTable + storeSentence + packTable + tagTable
      + (slices.map { $0.markdown(of: $0.ranges) } ?? "")
  }

  private func packedColumn<Row>(_ size: @escaping (Row) -> Int64?) -> [Table<Row>.Column] {
    release.hasPackedSizes ? [.size("packed", bytes: size)] : []
  }

  private var deliveryTable: Written<MarkdownForm> {
    func row(_ title: String, packs: [Int], count: FileCount) -> DeliveryRow {
      DeliveryRow(
        title: title, packs: grouped(packs.count), count: count,
        packed: release.packedSize(of: packs).map { ByteSize.text($0) } ?? "–")
    }
    let rows: [DeliveryRow] =
      Delivery.allCases.map { row($0.title, packs: release.order(of: $0), count: release.count(of: $0)) }
      + [
        row("all", packs: Array(release.packs.indices), count: release.total),
        DeliveryRow(title: "untagged", packs: "", count: release.untagged, packed: ""),
      ]
    return Table(
      rows,
      columns: [
        .text { $0.title }, .number("packs") { $0.packs }, .count("files") { $0.count.files },
        .size("size") { $0.count.size },
      ] + (release.hasPackedSizes ? [.number("packed") { $0.packed }] : [])
    ).markdown()
  }

  private var storeSentence: Written<MarkdownForm> {
    let download = firstDownload
    if download.size == 0 { return "" }
    let parts = download.partsText ?? "without the app"
    let limit = download.cellularLimit.map { "; at most \(ByteSize.text($0)) is advised over cellular" } ?? ""
    return "\nFirst download, as the store shows it: \(ByteSize.text(download.size)) (\(parts))\(limit).\n"
  }

  private struct DeliveryRow {
    let title: String
    /// The number of packs, as a string.
    let packs: String
    let count: FileCount
    /// The compressed size, as a string.
    let packed: String
  }

  private var packTable: Written<MarkdownForm> {
    let shown = Delivery.allCases.map { view.packs(of: $0, in: release) }
    let left = shown.reduce(0) { $0 + $1.left }
    let table = Table(
      shown.flatMap(\.shown).map { release.packs[$0] },
      columns: [
        .tags("pack", names: TagNames(release.packs.map(\.tags)), tags: \.tags),
        .text("delivery", text: \.delivery.title),
        .count("files", count: \.fileCount),
        .size("size", bytes: \.size),
      ] + packedColumn(\.packedSize))
    let more: Written<MarkdownForm> = left > 0 ? "\nAnd \(counted(left, of: "more pack")).\n" : ""
    return "\n" + table.markdown(textColumns: 2) + more
  }

  private var tagTable: Written<MarkdownForm> {
    let table = Table(
      release.tagsByDelivery,
      columns: [
        .text("tag", text: \.name), .text("delivery") { release.deliveryTitle(of: $0) },
        .count("packs", count: \.packs.count),
        .size("a request downloads", bytes: \.size),
      ] + packedColumn { release.packedSize(of: $0.packs) })
    return "\n" + table.markdown(textColumns: 2)
  }

  /// The plan as comma-separated values (RFC 4180) for spreadsheets, with a line for each pack.
  var csv: Written<CSVForm> {
    let packs = Delivery.allCases.flatMap { delivery in
      let places = Dictionary(uniqueKeysWithValues: zip(release.order(of: delivery), 1...))
      return view.packs(of: delivery, in: release).shown.map { number in
        (pack: release.packs[number], place: delivery == .onDemand ? nil : places[number])
      }
    }
    return Table(
      packs, columns: .text("id") { $0.pack.id }, .text("name") { $0.pack.name },
      .text("tags") { $0.pack.tags.joined(separator: "+") }, .text("delivery") { $0.pack.delivery.rawValue },
      .text("place") { $0.place.map(String.init) ?? "" },
      .text("priority") { $0.pack.priority?.description ?? "" },
      .text("fileCount") { String($0.pack.fileCount) }, .text("size") { String($0.pack.size) },
      .text("packed") { $0.pack.packedSize?.description ?? "" }
    ).csv
  }
}

extension SlicesReport {
  /// The text of "App Thinning Size Report.txt".
  ///
  /// Xcode writes this file next to an exported app, and CI plug-ins read it.
  var thinningReport: PlainText {
    // The last part of the bundle identifier is used as the app's name.
    let name = displayed(release.bundleIdentifier.split(separator: ".").last.map(String.init) ?? "")
    let blocks = devices.map { device, slice in
      block("\(name)-\(Self.fileName(of: device))", descriptors: descriptors(of: device), slice: slice)
    }
    // The layout is the same as in Xcode's file. It has an empty line at the beginning, two empty lines
    // between blocks, and the variant for all devices at the end.
    return "\nApp Thinning Size Report for All Variants of \(name)\n\n"
      + (blocks + [block(name, descriptors: "Universal", slice: release)]).joined(separator: "\n\n")
  }

  private func block(_ name: String, descriptors: String, slice: Release) -> PlainText {
    let packs = slice.total.size
    let app = appSize ?? 0
    return "Variant: \(name).ipa\nSupported variant descriptors: \(descriptors)\n"
      + "App + On Demand Resources size: \(Self.sizes(app.saturatingSum(with: packs)))\n"
      + "App size: \(Self.sizes(app))\nOn Demand Resources size: \(Self.sizes(packs))\n"
  }

  /// Returns the descriptors of a device class in the form `[device: iPhone11,4, os-version: 12.0], and
  /// [device: …]`.
  private func descriptors(of device: DeviceClass) -> String {
    // The lowest system version that supports on-demand resources with the limits of the release.
    let version = release.profile == "app-store-ios18" ? "18.0" : "9.0"
    let each = device.products.map { "[device: \($0), os-version: \(version)]" }
    if each.count < 3 { return each.joined(separator: " and ") }
    return each.dropLast().joined(separator: ", ") + ", and \(each[each.count - 1])"
  }

  /// Formats a size as both the compressed and the uncompressed size, because packs are not built yet.
  private static func sizes(_ bytes: Int64) -> String {
    "\(thinned(bytes)) compressed, \(thinned(bytes)) uncompressed"
  }

  /// Returns a name such as `phone-3x-P3-8GB-APPLE9`.
  private static func fileName(of device: DeviceClass) -> String {
    "\(device.idiom.rawValue)-\(device.scale)x-\(device.gamut.rawValue)-\(device.memory)GB-"
      + device.graphicsName.replacing(",", with: ".")
  }

  /// Formats a size like Apple's byte count formatter: KB without decimals, MB with one decimal, GB with two
  /// decimals.
  static func thinned(_ bytes: Int64) -> String {
    if bytes == 0 { return "Zero KB" }
    if bytes < 1000 { return counted(bytes, of: "byte") }
    var unit = (name: "KB", bytes: Int64(1000), decimals: 0)
    // A size that is rounded to 1,000 of a unit is written as 1 of the next unit.
    if bytes >= 999_500 { unit = ("MB", 1_000_000, 1) }
    if bytes >= 999_950_000 { unit = ("GB", 1_000_000_000, 2) }
    if bytes >= 999_995_000_000 { unit = ("TB", 1_000_000_000_000, 2) }
    let parts: Int64 = [1, 10, 100][unit.decimals]
    let step = unit.bytes / parts
    let rounded = bytes / step + (bytes % step >= step - bytes % step ? 1 : 0)
    var fraction = String(String(rounded % parts + parts).dropFirst())
    while fraction.last == "0" { fraction.removeLast() }
    return "\(rounded / parts)\(fraction.isEmpty ? "" : "." + fraction) \(unit.name)"
  }
}
