import Formats
import PackKit

/// The slices of a plan for programs.
enum SlicesJSON {
  /// The value of the key `devices`: one object for each class.
  static func value(of report: SlicesReport) -> JSONText {
    .array(report.devices.map { json(of: $0.device, $0.slice) })
  }

  private static func json(of device: DeviceClass, _ slice: Release) -> JSONText {
    var members: [String: JSONText] = [
      "name": .string(device.name), "products": .strings(device.products),
      // What has no files is no pack of the slice.
      "packs": .object(
        Dictionary(slice.packs.filter { $0.fileCount > 0 }.map { ($0.id, .integer($0.size)) }) { first, _ in
          first
        }),
    ]
    for delivery in Delivery.allCases {
      members[delivery.rawValue] = .object(["size": .integer(slice.count(of: delivery).size)])
    }
    return .object(members)
  }
}
