import Findings
import PackKit
import System

// The plan for a pull request or a page: deliveries, then packs and tags as tables.
extension PlanReport {
  var markdown: Written<MarkdownForm> {
    "### \(release.bundleIdentifier)\n\n" + deliveryTable + packTable + tagTable + (slices?.markdown ?? "")
  }

  /// The heading and the cell of packed sizes; nothing where none is known.
  private func packedCell(_ packs: some Sequence<Int>) -> [String] {
    release.hasPackedSizes ? [release.packedSize(of: packs).map { ByteSize.text($0) } ?? "–"] : []
  }

  private var heading: [String] { release.hasPackedSizes ? ["packed"] : [] }

  private var deliveryTable: Written<MarkdownForm> {
    var rows = [["", "packs", "files", "size"] + heading]
    for delivery in Delivery.allCases {
      let (count, order) = (release.count(of: delivery), release.order(of: delivery))
      rows.append(
        [delivery.title, grouped(order.count), grouped(count.files), ByteSize.text(count.size)]
          + packedCell(order))
    }
    let total = release.total
    rows.append(
      ["all", grouped(release.packs.count), grouped(total.files), ByteSize.text(total.size)]
        + packedCell(release.packs.indices))
    let untagged = release.untagged
    let none = release.hasPackedSizes ? [""] : []
    rows.append(["untagged", "", grouped(untagged.files), ByteSize.text(untagged.size)] + none)
    return .table(rows, textColumns: 1)
  }

  private var packTable: Written<MarkdownForm> {
    var rows = [["pack", "delivery", "files", "size"] + heading]
    var left = 0
    for delivery in Delivery.allCases {
      let packs = view.packs(of: delivery, in: release)
      left += packs.left
      for number in packs.shown {
        let pack = release.packs[number]
        rows.append(
          [
            pack.tags.joined(separator: " + "), delivery.title, grouped(pack.fileCount),
            ByteSize.text(pack.size),
          ] + packedCell([number]))
      }
    }
    let more: Written<MarkdownForm> = left > 0 ? "\nAnd \(counted(left, "more pack")).\n" : ""
    return "\n" + .table(rows, textColumns: 2) + more
  }

  private var tagTable: Written<MarkdownForm> {
    var rows = [["tag", "delivery", "packs", "a request downloads"] + heading]
    for tag in release.tags {
      rows.append(
        [tag.name, tag.delivery.title, grouped(tag.packs.count), ByteSize.text(tag.size)]
          + packedCell(tag.packs))
    }
    return "\n" + .table(rows, textColumns: 2)
  }
}

// The plan as a Mermaid flowchart, which GitHub and GitLab draw in comments: tags, and the packs that carry them.
extension PlanReport {
  /// Packs of a delivery that are drawn; GitHub refuses charts of more than 500 edges.
  private static let mostPacks = 60
  private static let mostEdges = 480
  private static let longestName = 120

  var mermaid: Written<MermaidForm> {
    let view = PlanView(sort: view.sort ?? .size, most: min(view.most ?? Self.mostPacks, Self.mostPacks))
    var text: Written<MermaidForm> = "flowchart LR\n"
    var shown: [Int] = []
    for delivery in Delivery.allCases {
      let packs = view.packs(of: delivery, in: release)
      if packs.shown.isEmpty { continue }
      shown += packs.shown
      text +=
        "  subgraph \(delivery.rawValue)[\"\(delivery.title): \(ByteSize.text(release.count(of: delivery).size))\"]\n"
      for number in packs.shown { text += "    p\(number)[\"\(label(of: release.packs[number]))\"]\n" }
      if packs.left > 0 { text += "    m\(delivery.rawValue)[\"\(counted(packs.left, "more pack"))\"]\n" }
      text += "  end\n"
    }
    return text + edges(to: Set(shown))
  }

  private func edges(to packs: Set<Int>) -> Written<MermaidForm> {
    var text: Written<MermaidForm> = ""
    var count = 0
    for (number, tag) in release.tags.enumerated() {
      let ends = tag.packs.filter(packs.contains)
      if ends.isEmpty || count + ends.count > Self.mostEdges { continue }
      count += ends.count
      text += "  t\(number)([\"\(tag.name.prefix(Self.longestName))\"])\n"
      for pack in ends { text += "  t\(number) --> p\(pack)\n" }
    }
    return text
  }

  private func label(of pack: Release.Pack) -> Written<MermaidForm> {
    let packed = pack.packedSize.map { ", packed \(ByteSize.text($0))" } ?? ""
    return
      "\(pack.tags.joined(separator: " + ").prefix(Self.longestName))<br/>\(ByteSize.text(pack.size))\(packed)"
  }
}

// The plan as comma-separated values (RFC 4180), a line for each pack, for spreadsheets.
extension PlanReport {
  var csv: Written<CSVForm> {
    let head = ["id", "name", "tags", "delivery", "place", "priority", "fileCount", "size", "packed"]
    return Self.line(head) + Delivery.allCases.map(lines).joined()
  }

  private func lines(_ delivery: Delivery) -> Written<CSVForm> {
    let places = Dictionary(uniqueKeysWithValues: zip(release.order(of: delivery), 1...))
    return view.packs(of: delivery, in: release).shown.map { number in
      let pack = release.packs[number]
      return Self.line([
        pack.id, pack.name, pack.tags.joined(separator: "+"), delivery.rawValue,
        delivery == .onDemand ? "" : places[number].map(String.init) ?? "",
        pack.priority.map(\.description) ?? "", String(pack.fileCount), String(pack.size),
        pack.packedSize.map(String.init) ?? "",
      ])
    }.joined()
  }

  private static func line(_ cells: [String]) -> Written<CSVForm> {
    cells.map { cell -> Written<CSVForm> in "\(cell)" }.joined(separator: ",") + "\r\n"
  }
}

// Models "App Thinning Size Report.txt", which Xcode writes beside an exported app and CI plug-ins read.
extension SlicesReport {
  var thinningReport: PlainText {
    let name = appName
    let blocks = devices.map { device, slice in
      block("\(name)-\(Self.fileName(of: device))", descriptors(of: device), slice)
    }
    // An empty line in front, two between blocks, and the variant for all devices at the end, as Xcode writes it.
    return "\nApp Thinning Size Report for All Variants of \(name)\n\n"
      + (blocks + [block(name, "Universal", release)]).joined(separator: "\n\n")
  }

  /// The last part of the bundle identifier, which stands for the app's name.
  private var appName: String {
    let name = release.bundleIdentifier.split(separator: ".").last.map(String.init) ?? ""
    return displayed(name)
  }

  private func block(_ name: String, _ descriptors: String, _ slice: Release) -> PlainText {
    let packs = slice.total.size
    let app = appSize ?? 0
    return "Variant: \(name).ipa\nSupported variant descriptors: \(descriptors)\n"
      + "App + On Demand Resources size: \(Self.sizes(app.saturatingSum(with: packs)))\n"
      + "App size: \(Self.sizes(app))\nOn Demand Resources size: \(Self.sizes(packs))\n"
  }

  /// `[device: iPhone11,4, os-version: 12.0], and [device: …]`.
  private func descriptors(of device: DeviceClass) -> String {
    let each = device.products.map { "[device: \($0), os-version: \(systemVersion)]" }
    if each.count < 3 { return each.joined(separator: " and ") }
    return each.dropLast().joined(separator: ", ") + ", and \(each[each.count - 1])"
  }

  /// The least version of the system that has on-demand resources under the limits of the release.
  private var systemVersion: String { release.profile == "app-store-ios18" ? "18.0" : "9.0" }

  /// Nothing is built, so what is compressed counts as what is not.
  private static func sizes(_ bytes: Int64) -> String {
    "\(thinned(bytes)) compressed, \(thinned(bytes)) uncompressed"
  }

  /// `phone-3x-P3-8GB-APPLE9`.
  private static func fileName(of device: DeviceClass) -> String {
    "\(device.idiom.rawValue)-\(device.scale)x-\(device.gamut.rawValue)-\(device.memory)GB-"
      + device.graphicsName.replacing(",", with: ".")
  }

  /// A size as Apple's byte count formatter writes it: no decimals of KB, one of MB, two of GB.
  static func thinned(_ bytes: Int64) -> String {
    if bytes == 0 { return "Zero KB" }
    if bytes < 1000 { return counted(bytes, "byte") }
    var unit = (name: "KB", bytes: Int64(1000), decimals: 0)
    // A size that rounds to 1,000 of a unit is 1 of the next.
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
