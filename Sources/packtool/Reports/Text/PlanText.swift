import Findings
import PackKit

/// A plan for people: the downloads of each delivery and of each tag.
struct PlanText {
  private let release: Release

  init(_ release: Release) {
    self.release = release
  }

  var text: PlainText {
    let total = release.total
    let head: PlainText =
      "\(displayed(release.bundleIdentifier)): \(counted(release.packs.count, "pack")), \(counted(total.files, "file")), "
      + "\(ByteSize.text(total.size)) (limits: \(release.profile))\n"
    return head + packs + tags + untagged
  }

  private var packs: PlainText {
    var text: PlainText = ""
    var table = TextTable([.right, .left, .right, .right, .left])
    // One table for all deliveries, so that their columns are aligned.
    for delivery in Delivery.allCases {
      for (place, number) in release.order(of: delivery).enumerated() {
        let pack = release.packs[number]
        table.add(
          delivery == .onDemand ? "-" : "\(place + 1)", displayed(pack.tags.joined(separator: " + ")),
          counted(pack.fileCount, "file"), ByteSize.text(pack.size),
          pack.priority.map { "priority \(Self.rounded($0))" } ?? "")
      }
    }
    var lines = table.lines(indentation: 2)[...]
    for delivery in Delivery.allCases where !release.order(of: delivery).isEmpty {
      let count = release.count(of: delivery)
      let packs = release.order(of: delivery).count
      text +=
        "\n\(delivery.title): \(counted(packs, "pack")), \(counted(count.files, "file")), "
        + "\(ByteSize.text(count.size))\n"
      text += lines.prefix(packs).joined()
      lines = lines.dropFirst(packs)
    }
    return text
  }

  private var tags: PlainText {
    var table = TextTable([.left, .left, .right, .right])
    for tag in release.tags {
      table.add(
        displayed(tag.name), tag.delivery.title, counted(tag.packs.count, "pack"), ByteSize.text(tag.size))
    }
    return "\ntags, with all packs that a request for one downloads:\n" + table.text(indentation: 2)
  }

  private var untagged: PlainText {
    let count = release.untagged
    return "\nuntagged, in the app bundle: \(counted(count.files, "file")), \(ByteSize.text(count.size))\n"
  }

  /// A priority with two decimals.
  static func rounded(_ priority: Double) -> String {
    let hundredths = Int((priority * 100).rounded())
    return "\(hundredths / 100).\(hundredths % 100 < 10 ? "0" : "")\(hundredths % 100)"
  }
}
