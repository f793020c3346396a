import Findings
import PackKit
import Releases

extension DeviceReach {
  /// A sentence for each download: `3 of 51 device classes download 12.0 MB, such as "phone 3x P3 8 GB APPLE9"`.
  var sentences: [String] {
    let all = counted(count, "device class", plural: "device classes")
    return groups.map { group in
      let download = group.download == 0 ? "nothing" : ByteSize.text(group.download)
      let example = group.devices.first.map { ", such as \(quoted($0.name))" } ?? ""
      let verb = group.devices.count == 1 ? "downloads" : "download"
      return "\(grouped(group.devices.count)) of \(all) \(verb) \(download)\(example)"
    }
  }
}
