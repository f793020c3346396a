import Findings
import PackKit
import System

/// A plan for people: the downloads of each delivery and of each tag.
struct PlanText {
  private let release: Release
  private let view: PlanView
  private let screen: Screen

  /// Columns of a bar.
  private static let barWidth = 12

  init(_ release: Release, _ view: PlanView = PlanView(), on screen: Screen = .plain) {
    self.release = release
    self.view = view
    self.screen = screen
  }

  var text: PlainText {
    let total = release.total
    let head: PlainText =
      "\(displayed(release.bundleIdentifier)): \(counted(release.packs.count, "pack")), "
      + "\(counted(total.files, "file")), \(sizes(total.size, release.packs.indices)) "
      + "(limits: \(release.profile))"
    let device: PlainText = release.device.map { "device class: \(displayed($0.name))\n" } ?? ""
    return screen.paint(head, .bold) + "\n" + device + packs + tags + untagged
  }

  /// Whether bars of shares are drawn, which are for screens.
  private var hasBars: Bool { screen.width != nil }

  private var packs: PlainText {
    var text: PlainText = ""
    // One table for all deliveries, so that their columns are aligned.
    var table = TextTable([.right, .left, .right, .right, .left, .left, .left])
    let largest = release.packs.map(\.size).max() ?? 0
    var counts: [(shown: Int, left: Int)] = []
    for delivery in Delivery.allCases {
      let order = Dictionary(uniqueKeysWithValues: zip(release.order(of: delivery), 1...))
      let (shown, left) = view.packs(of: delivery, in: release)
      for number in shown {
        let pack = release.packs[number]
        let place = delivery == .onDemand ? "-" : order[number].map(String.init) ?? ""
        table.add(
          place, displayed(pack.tags.joined(separator: " + ")), counted(pack.fileCount, "file"),
          ByteSize.text(pack.size), packed([number]),
          hasBars ? Screen.bar(pack.size, of: largest, width: Self.barWidth) : "",
          pack.priority.map { "priority \(Self.rounded($0))" } ?? "")
      }
      counts.append((shown.count, left))
    }
    var blocks = table.blocks(indentation: 2, on: screen)[...]
    let draggedIn = release.draggedIn
    for (delivery, count) in zip(Delivery.allCases, counts) where count.shown > 0 {
      text += "\n" + title(of: delivery) + blocks.prefix(count.shown).joined()
      blocks = blocks.dropFirst(count.shown)
      if count.left > 0 { text += "  and \(counted(count.left, "more pack"))\n" }
      text += draggedIn.filter { $0.delivery == delivery }.map(line).joined()
    }
    return text
  }

  /// The part of a delivery that comes along by other tags of its files.
  private func line(of dragged: DraggedIn) -> PlainText {
    "  of these, \(counted(dragged.packs.count, "pack")) with \(ByteSize.exact(dragged.size)) only by "
      + "\(listed(dragged.listed.map(\.tag), atMost: 4)), beside tags that no list names: \(dragged.unlistedText)\n"
  }

  private func title(of delivery: Delivery) -> PlainText {
    let count = release.count(of: delivery)
    let packs = release.order(of: delivery)
    let line: PlainText =
      "\(delivery.title): \(counted(packs.count, "pack")), \(counted(count.files, "file")), "
      + "\(sizes(count.size, packs))"
    return screen.paint(line, .bold) + "\n"
  }

  private var tags: PlainText {
    var table = TextTable([.left, .left, .right, .right, .left])
    for tag in release.tags {
      table.add(
        displayed(tag.name), tag.delivery.title, counted(tag.packs.count, "pack"), ByteSize.text(tag.size),
        packed(tag.packs))
    }
    return "\ntags, with all packs that a request for one downloads:\n"
      + table.text(indentation: 2, on: screen)
  }

  private var untagged: PlainText {
    let count = release.untagged
    return "\nuntagged, in the app bundle: \(counted(count.files, "file")), \(ByteSize.text(count.size))\n"
  }

  /// A size, and the packed one of some packs where it is known.
  private func sizes(_ size: Int64, _ packs: some Sequence<Int>) -> String {
    let packed = packed(packs)
    return ByteSize.text(size) + (packed.isEmpty ? "" : ", \(packed)")
  }

  /// `packed 12.3 MB`, or that some packs are not built; empty where none is.
  private func packed(_ packs: some Sequence<Int>) -> String {
    if !release.hasPackedSizes { return "" }
    return release.packedSize(of: packs).map { "packed \(ByteSize.text($0))" } ?? "not built"
  }

  /// A priority with two decimals.
  static func rounded(_ priority: Double) -> String {
    let hundredths = Int((priority * 100).rounded())
    return "\(hundredths / 100).\(hundredths % 100 < 10 ? "0" : "")\(hundredths % 100)"
  }
}

/// The slices of a plan for people: the smallest and the largest class of each delivery and pack.
struct SlicesText {
  private let report: SlicesReport

  init(_ report: SlicesReport) {
    self.report = report
  }

  var text: PlainText {
    let count = report.devices.count
    if count == 0 { return "\nno file is a variant: every device gets all of it\n" }
    var table = TextTable([.left, .right, .left, .right, .left])
    table.add("", "smallest", "on", "largest", "on")
    for range in report.ranges {
      let title = displayed(range.title(in: report.release))
      let cells = range.cells
      table.add(range.isPack ? "  \(title)" : title, cells[0], cells[1], cells[2], cells[3])
    }
    return
      "\n\(counted(count, "device class", plural: "device classes")), of each pack the smallest and the largest:\n"
      + table.text(indentation: 2)
  }
}

/// How a plan comes to fewer packs, for people.
struct MergeText {
  private let merge: MergePlan
  private let release: Release
  private let most: Int

  /// The number of requests of a step that are named.
  private static let mostNamed = 3

  init(_ merge: MergePlan, _ release: Release, most: Int) {
    self.merge = merge
    self.release = release
    self.most = most
  }

  var text: PlainText {
    if release.packs.count <= most {
      return "\nmerge: \(counted(release.packs.count, "pack")), at most \(grouped(most)) already\n"
    }
    if merge.steps.isEmpty {
      return
        "\nmerge: \(counted(release.packs.count, "pack")), more than the \(grouped(MergePlan.mostPacks)) that are joined\n"
    }
    return head + table + tail
  }

  private var head: PlainText {
    let left = merge.steps.last?.packCount ?? release.packs.count
    let cost = merge.steps.saturatingSum { $0.size }
    return
      "\nmerge to at most \(counted(most, "pack")): \(counted(merge.steps.count, "step")), \(grouped(release.packs.count)) → "
      + "\(grouped(left)) packs, \(ByteSize.text(cost)) for nothing if each tag is requested once\n"
  }

  private var table: PlainText {
    var table = TextTable([.right, .right, .right, .left])
    for (number, step) in merge.steps.enumerated() {
      table.add(
        "\(number + 1)", counted(step.packCount, "pack"), ByteSize.text(step.size),
        step.packs.map { name(of: $0) }.joined(separator: " with "))
      let requests = step.requests.filter { $0.size > 0 }
      let named = requests.prefix(Self.mostNamed).map { "\(words($0.request)) \(ByteSize.text($0.size))" }
      let more = requests.count > named.count ? " and \(grouped(requests.count - named.count)) more" : ""
      table.add("", "", "", "  " + (named.isEmpty ? "nothing" : named.joined(separator: ", ") + more))
    }
    return table.text(indentation: 2)
  }

  private var tail: PlainText { "\"merge\": \(grouped(most)) in the manifest does it\n" }

  private func name(of packs: [Int]) -> String {
    setNotation(Set(packs.flatMap { release.packs[$0].tags }).sorted())
  }

  private func words(_ request: MergePlan.Request) -> String {
    switch request {
    case .tag(let tag): quoted(tag)
    case .initialInstall: "the initial install"
    case .prefetch: "the prefetch"
    }
  }
}
