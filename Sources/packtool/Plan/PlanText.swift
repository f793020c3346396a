import Findings
import PackKit
import System

// The plan for people: the downloads of each delivery and of each tag.
extension PlanReport {
  func text(on screen: Screen) -> PlainText {
    let total = release.total
    let head: PlainText =
      "\(displayed(release.bundleIdentifier)): \(counted(release.packs.count, "pack")), "
      + "\(counted(total.files, "file")), \(sizes(total.size, release.packs.indices)) "
      + "(limits: \(release.profile))"
    let device: PlainText = release.device.map { "device class: \(displayed($0.name))\n" } ?? ""
    return screen.paint(head, .bold) + "\n" + device + packs(on: screen) + tags(on: screen) + untaggedSum
      + (untagged.map { UntaggedFolder.text(of: $0) } ?? "") + (slices?.text ?? "")
      + (merge.map { $0.plan.text(of: release, most: $0.most) } ?? "")
  }

  private func packs(on screen: Screen) -> PlainText {
    var text: PlainText = ""
    // One table for all deliveries, so that their columns are aligned.
    var table = TextTable([.right, .left, .right, .right, .left, .left, .left])
    let largest = release.packs.map(\.size).max() ?? 0
    let names = TagNames(release.packs.map(\.tags), isWhole: screen.isWhole)
    var counts: [(shown: Int, left: Int)] = []
    for delivery in Delivery.allCases {
      let order = Dictionary(uniqueKeysWithValues: zip(release.order(of: delivery), 1...))
      let (shown, left) = view.packs(of: delivery, in: release)
      for number in shown {
        let pack = release.packs[number]
        let place = delivery == .onDemand ? "-" : order[number].map(String.init) ?? ""
        table.add(
          place, displayed(names.name(of: pack.tags)), counted(pack.fileCount, "file"),
          ByteSize.text(pack.size), packed([number]),
          screen.width == nil ? "" : Screen.bar(pack.size, of: largest, width: 12),
          pack.priority.map { "priority \(rounded(priority: $0))" } ?? "")
      }
      counts.append((shown.count, left))
    }
    var blocks = table.blocks(indentation: 2, on: screen)[...]
    let draggedIn = release.draggedIn
    for (delivery, count) in zip(Delivery.allCases, counts) where count.shown > 0 {
      text += "\n" + screen.paint(title(of: delivery), .bold) + "\n" + blocks.prefix(count.shown).joined()
      blocks = blocks.dropFirst(count.shown)
      if count.left > 0 { text += "  and \(counted(count.left, "more pack"))\n" }
      text += draggedIn.filter { $0.delivery == delivery }.map { line(of: $0, on: screen) }.joined()
    }
    return text
  }

  /// The part of a delivery that comes along by other tags of its files.
  private func line(of dragged: DraggedIn, on screen: Screen) -> PlainText {
    screen.wrapped(
      "of these, \(counted(dragged.packs.count, "pack")) with \(ByteSize.exact(dragged.size)) only by "
        + "\(listed(dragged.listed.map(\.tag), atMost: 4)), beside tags that no list names: \(dragged.unlistedText)",
      indentation: 2, hanging: 2)
  }

  private func title(of delivery: Delivery) -> PlainText {
    let count = release.count(of: delivery)
    let packs = release.order(of: delivery)
    return "\(delivery.title): \(counted(packs.count, "pack")), \(counted(count.files, "file")), "
      + "\(sizes(count.size, packs))"
  }

  private func tags(on screen: Screen) -> PlainText {
    let table = Table(
      release.tags, .text { displayed($0.name) }, .text { $0.delivery.title },
      .number { counted($0.packs.count, "pack") }, .size { $0.size }, .text { packed($0.packs) })
    return "\ntags, with all packs that a request for one downloads:\n"
      + table.text(indentation: 2, on: screen)
  }

  private var untaggedSum: PlainText {
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
}

extension MergePlan {
  func text(of release: Release, most: Int) -> PlainText {
    if release.packs.count <= most {
      return "\nmerge: \(counted(release.packs.count, "pack")), at most \(grouped(most)) already\n"
    }
    if steps.isEmpty {
      return
        "\nmerge: \(counted(release.packs.count, "pack")), more than the \(grouped(Self.mostPacks)) that are joined\n"
    }
    let left = steps.last?.packCount ?? release.packs.count
    let cost = steps.saturatingSum { $0.size }
    return
      "\nmerge to at most \(counted(most, "pack")): \(counted(steps.count, "step")), \(grouped(release.packs.count)) → "
      + "\(grouped(left)) packs, \(ByteSize.text(cost)) for nothing if each tag is requested once\n"
      + table(release) + "\"merge\": \(grouped(most)) in the manifest does it\n"
  }

  private func table(_ release: Release) -> PlainText {
    func name(_ packs: [Int]) -> String {
      setNotation(Set(packs.flatMap { release.packs[$0].tags }).sorted())
    }
    var table = TextTable([.right, .right, .right, .left])
    for (number, step) in steps.enumerated() {
      table.add(
        "\(number + 1)", counted(step.packCount, "pack"), ByteSize.text(step.size),
        step.packs.map(name).joined(separator: " with "))
      let requests = step.requests.filter { $0.size > 0 }
      let named = requests.prefix(3).map { "\(Self.words($0.request)) \(ByteSize.text($0.size))" }
      let more = requests.count > named.count ? " and \(grouped(requests.count - named.count)) more" : ""
      table.add("", "", "", "  " + (named.isEmpty ? "nothing" : named.joined(separator: ", ") + more))
    }
    return table.text(indentation: 2)
  }

  private static func words(_ request: Request) -> String {
    switch request {
    case .tag(let tag): quoted(tag)
    case .initialInstall: "the initial install"
    case .prefetch: "the prefetch"
    }
  }
}
