import Findings
import PackKit

/// A plan for people: the downloads of each delivery and of each tag.
struct PlanText {
  private let release: Release

  init(_ release: Release) {
    self.release = release
  }

  var text: String {
    let total = release.total
    let head =
      "\(displayed(release.bundleIdentifier)): \(counted(release.packs.count, "pack")), \(counted(total.files, "file")), "
      + "\(ByteSize.text(total.size)) (limits: \(release.profile))\n"
      + (release.device.map { "device class: \(displayed($0.name))\n" } ?? "")
    return head + packs + tags + untagged
  }

  private var packs: String {
    var text = ""
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
    var lines = table.text(indentation: 2).split(separator: "\n")[...]
    for delivery in Delivery.allCases where !release.order(of: delivery).isEmpty {
      let count = release.count(of: delivery)
      let packs = release.order(of: delivery).count
      text +=
        "\n\(delivery.title): \(counted(packs, "pack")), \(counted(count.files, "file")), "
        + "\(ByteSize.text(count.size))\n"
      text += lines.prefix(packs).joined(separator: "\n") + "\n"
      lines = lines.dropFirst(packs)
    }
    return text
  }

  private var tags: String {
    var table = TextTable([.left, .left, .right, .right])
    for tag in release.tags {
      table.add(
        displayed(tag.name), tag.delivery.title, counted(tag.packs.count, "pack"), ByteSize.text(tag.size))
    }
    return "\ntags, with all packs that a request for one downloads:\n" + table.text(indentation: 2)
  }

  private var untagged: String {
    let count = release.untagged
    return "\nuntagged, in the app bundle: \(counted(count.files, "file")), \(ByteSize.text(count.size))\n"
  }

  /// A priority with two decimals.
  static func rounded(_ priority: Double) -> String {
    let hundredths = Int((priority * 100).rounded())
    return "\(hundredths / 100).\(hundredths % 100 < 10 ? "0" : "")\(hundredths % 100)"
  }
}
