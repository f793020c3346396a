import Findings
import PackKit
import System

/// Models "App Thinning Size Report.txt", which Xcode writes beside an exported app and CI plug-ins read.
struct ThinningReport {
  private let report: SlicesReport

  init(_ report: SlicesReport) {
    self.report = report
  }

  var text: PlainText {
    let name = appName
    let blocks = report.devices.map { device, slice in
      block("\(name)-\(Self.fileName(of: device))", descriptors(of: device), slice)
    }
    // An empty line in front, two between blocks, and the variant for all devices at the end, as Xcode writes it.
    return "\nApp Thinning Size Report for All Variants of \(name)\n\n"
      + (blocks + [block(name, "Universal", report.release)]).joined(separator: "\n\n")
  }

  /// The last part of the bundle identifier, which stands for the app's name.
  private var appName: String {
    let name = report.release.bundleIdentifier.split(separator: ".").last.map(String.init) ?? ""
    return displayed(name)
  }

  private func block(_ name: String, _ descriptors: String, _ slice: Release) -> PlainText {
    let packs = slice.total.size
    let app = report.appSize ?? 0
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
  private var systemVersion: String { report.release.profile == "app-store-ios18" ? "18.0" : "9.0" }

  /// Nothing is built, so what is compressed counts as what is not.
  private static func sizes(_ bytes: Int64) -> String {
    "\(text(bytes)) compressed, \(text(bytes)) uncompressed"
  }

  /// `phone-3x-P3-8GB-APPLE9`.
  private static func fileName(of device: DeviceClass) -> String {
    "\(device.idiom.rawValue)-\(device.scale)x-\(device.gamut.rawValue)-\(device.memory)GB-"
      + device.graphicsName.replacing(",", with: ".")
  }

  /// A size as Apple's byte count formatter writes it: no decimals of KB, one of MB, two of GB.
  static func text(_ bytes: Int64) -> String {
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
