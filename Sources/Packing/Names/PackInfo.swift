import Archiving
import Formats
import Model
import Pipeline
import System

extension AssetPack {
  /// The bytes of the pack's `Info.plist`, as Xcode writes it.
  var info: ByteBuffer {
    var members: [String: PlistItem] = [
      "CFBundleIdentifier": .string(identity.identifier), "Tags": .strings(tags),
    ]
    members["Priority"] = priority.map(PlistItem.real)
    return BinaryPlist.bytes(of: .dictionary(members))
  }
}
