import Formats
import PackKit
import System

/// Models the `Info.plist` of an asset pack as Xcode writes it.
package struct PackInfo: Sendable {
  let identifier: String
  /// Sorted.
  let tags: [String]
  let priority: Double?

  init(of pack: AssetPack) {
    identifier = pack.identity.identifier
    tags = pack.tags
    priority = pack.priority
  }

  var bytes: ByteBuffer {
    var members: [String: PlistItem] = ["CFBundleIdentifier": .string(identifier), "Tags": .strings(tags)]
    members["Priority"] = priority.map(PlistItem.real)
    return BinaryPlist.bytes(of: .dictionary(members))
  }
}
