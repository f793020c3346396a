import Findings
import Flags
import PackKit

/// The mistake of releases that are for other devices than the one named, or for different ones; nil if all agree.
func deviceMistake(
  in releases: [(name: String, device: ReleaseDevice?)], named device: DeviceClass? = nil
) -> UsageMistake? {
  func shown(_ device: ReleaseDevice?) -> String { device.map { quoted($0.name) } ?? "all devices" }
  if let device, let other = releases.first(where: { $0.device?.name != device.name }) {
    return UsageMistake(
      "\(quoted(other.name)) is built for \(shown(other.device)), not for \(quoted(device.name)); build it with --device"
    )
  }
  guard let first = releases.first,
    let other = releases.first(where: { $0.device?.name != first.device?.name })
  else { return nil }
  return UsageMistake(
    "\(quoted(first.name)) is for \(shown(first.device)), \(quoted(other.name)) for \(shown(other.device)); name the devices "
      + "with --device")
}

extension UsageMistake {
  /// The mistake as a finding about a release, for reports that are written in spite of it.
  func finding(at path: String) -> Diagnostic { Diagnostic(.missingIndex, message, at: Place(path)) }
}

extension Flag {
  /// The flag `--device` of a command that looks at packs as one class of devices gets them.
  static func device(summary: String, into target: Target<DeviceClass?>) -> Flag {
    .parsed(
      "--device", valueName: "CLASS|PRODUCT", kind: .named("device"), summary: summary,
      parse: { word throws(FlagMistake) -> DeviceClass? in
        guard let device = DeviceClass.named(word) else {
          throw FlagMistake("names no devices: \(DeviceClass.mistake(in: word))")
        }
        return device
      }, into: target)
  }
}
