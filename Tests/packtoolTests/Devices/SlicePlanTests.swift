import Foundation
@testable import Model
@testable import Pipeline
@testable import packtool
import Support
import Testing

/// Tests `plan` and the limits for each device class.
@Suite struct SlicePlanTests {
  private static let contents = DeviceSite.contentsSize

  private func sizes(_ plan: [String: Any]) -> [String: Int] {
    var sizes: [String: Int] = [:]
    for pack in plan["packs"] as? [[String: Any]] ?? [] {
      sizes[(pack["tags"] as? [String] ?? []).joined(separator: "+")] = pack["size"] as? Int
    }
    return sizes
  }

  @Test(arguments: [
    ("iPhone17,1", 30_000, 500_000), ("iPhone7,2", 20_000, 100_000),
    ("pad 1x sRGB 0 GB GLES2,0", 10_000, 100_000),
  ]) func `a plan of one class`(device: String, hero: Int, rock: Int) throws {
    let site = try DeviceSite(#", "appBundle": {"size": 1}"#)
    let plan = try site.json("plan", site.folder.path, "--device", device, "--format", "json", "--quiet")
    #expect(sizes(plan) == ["Art": hero + Self.contents, "Art+Maps": 1000, "Rocks": rock])
    let named = try #require(DeviceClass.named(device))
    let deviceOfPlan = plan["device"] as? [String: Any]
    #expect(deviceOfPlan?["name"] as? String == named.name)
    #expect(deviceOfPlan?["products"] as? [String] == named.products)
    #expect((plan["prefetch"] as? [String: Any])?["size"] as? Int == rock)
    #expect((plan["diagnostics"] as? [Any])?.isEmpty == true)
  }

  @Test func `a root inside a catalog is found`() throws {
    let site = try DeviceSite()
    try site.folder.writeManifest([.path("Hero.imageset", "Art")], root: "Assets/C.xcassets")
    let errors = site.tool("validate", site.folder.path).errors
    #expect(
      errors.reports("root-in-catalog", at: "SITE/Manifest.json:3:11", naming: "Assets/C.xcassets", "Assets"),
      "\(errors)")
  }

  @Test func `a plan of all classes is the plan of each`() throws {
    let site = try DeviceSite(#", "devices": "all""#)
    let plan = try site.json("plan", site.folder.path, "--devices", "--format", "json", "--quiet")
    #expect(sizes(plan)["Rocks"] == 600_000)
    let devices = try #require(plan["devices"] as? [[String: Any]])
    #expect(devices.map { $0["name"] as? String } == DeviceClass.all.map(\.name))
    for device in devices {
      let slice = try site.json(
        "plan", site.folder.path, "--device", device["name"] as? String ?? "", "--format", "json", "--quiet")
      let packs = (slice["packs"] as? [[String: Any]] ?? []).map {
        ($0["id"] as? String ?? "", $0["size"] as? Int)
      }
      #expect(
        device["packs"] as? [String: Int] == Dictionary(uniqueKeysWithValues: packs).compactMapValues(\.self))
      for delivery in Delivery.allCases.map(\.rawValue) {
        let size = (slice[delivery] as? [String: Any])?["size"] as? Int
        #expect((device[delivery] as? [String: Int])?["size"] == size)
      }
      #expect(Set(device.keys) == ["name", "products", "packs", "initialInstall", "prefetch", "onDemand"])
    }
  }

  @Test func `the table of all classes`() throws {
    let site = try DeviceSite()
    let text = site.tool("plan", site.folder.path, "--devices").output
    let table = try #require(text.range(of: "\n51 device classes"))
    #expect(
      text[table.lowerBound...] == """

        51 device classes, with the smallest and the largest for each pack:
                     smallest  on                        largest  on
          prefetch     100 kB  pad 1x sRGB 0 GB GLES2,0   500 kB  pad 2x P3 12 GB APPLE10
            Rocks      100 kB  pad 1x sRGB 0 GB GLES2,0   500 kB  pad 2x P3 12 GB APPLE10
          on demand   11.1 kB  pad 1x sRGB 0 GB GLES2,0  31.1 kB  phone 3x P3 12 GB APPLE10
            Art       10.1 kB  pad 1x sRGB 0 GB GLES2,0  30.1 kB  phone 3x P3 12 GB APPLE10
          all packs    111 kB  pad 1x sRGB 0 GB GLES2,0   531 kB  phone 3x P3 12 GB APPLE10
          1 more pack with the same size on every device class

        """)
  }

  /// If there are no variants, the plan is for all devices and does not mention devices.
  @Test func `a tree without variants looks as before`() throws {
    let site = try DeviceSite()
    for path in ["Assets/C.xcassets", "Assets/hd"] {
      try FileManager.default.removeItem(atPath: site.path(path))
    }
    try site.write("C.xcassets", "", size: 1)
    try site.writeManifest("", packsHD: false)
    let plain = site.tool("plan", site.folder.path)
    #expect(!plain.output.contains("device") && !plain.errors.contains("device"))
    #expect(
      site.tool("plan", site.folder.path, "--devices").output
        == plain.output + "\nno file is a variant: every device gets all files\n")
    let json = try site.json("plan", site.folder.path, "--devices", "--format", "json", "--quiet")
    #expect((json["devices"] as? [Any])?.isEmpty == true)
    #expect(
      site.tool("plan", site.folder.path, "--device", "iPhone17,1").output
        == plain.output.replacingOccurrences(
          of: "(limits: app-store)\n", with: "(limits: app-store)\ndevice class: phone 3x P3 8 GB APPLE9\n"))
  }

  @Test(arguments: [
    ("packSize", "pack-size", #""Rocks""#, 500_000),
    ("prefetchSize", "prefetch-size", "", 500_000),
    ("tagSize", "tag-size", #""Rocks""#, 500_000),
    ("inUseSize", "in-use-size", #""Rocks""#, 500_000),
  ]) func `a limit applies to every class and is reported once`(
    key: String, id: String, subject: String, size: Int
  ) throws {
    let site = try DeviceSite(#", "limits": {"\#(key)": 499999}"#)
    let lines = site.tool("validate", site.folder.path).errors.split(separator: "\n").filter {
      $0.reports(id)
    }
    let over = DeviceClass.all.count { $0.memory >= 4 && $0.idiom != .tv }
    #expect(lines.count == 1)
    let finding = try #require(lines.first)
    #expect(finding.hasFacts("[\(id)] \(subject) 500,000 \"pad 2x P3 12 GB APPLE10\" 1 499,999 \(over) 51"))
    // The packs for all devices have more than 600,000 bytes, but no device downloads that much.
    let wide = try DeviceSite(#", "limits": {"\#(key)": 600000}"#)
    #expect(!wide.tool("validate", wide.folder.path).errors.reports(id))
  }

  @Test func `the initial install and cellular hold for every class`() throws {
    let members = #", "initialInstallTags": ["Art"], "appBundle": {"size": 1000}, "#
    let site = try DeviceSite(members + #""limits": {"initialInstallSize": 31000, "cellularSize": 32000}"#)
    let errors = site.tool("validate", site.folder.path).errors
    let phone = "phone 3x P3 12 GB APPLE10"
    #expect(errors.reports("initial-install-size", naming: "31,124", phone, "124", "31,000", "13", "51"))
    #expect(errors.reports("cellular-size", naming: "31,124", "32,124", phone, "124", "32,000"))
  }

  /// The store hosts the packs of all devices, so these limits apply to all packs.
  @Test func `the total and the count are of all devices`() throws {
    let site = try DeviceSite(#", "limits": {"totalSize": 600000, "packCount": 2}"#)
    for words in [["validate"], ["plan", "--device", "iPhone7,2"]] {
      let terminal = CapturedTerminal()
      _ = Tool.run([words[0], site.folder.path] + words.dropFirst(), environment: [:], terminal: terminal)
      #expect(terminal.errors.reports("total-size", naming: "661,124", "61,124", "600,000"))
      #expect(terminal.errors.reports("pack-count", naming: "3", "1", "2"))
    }
  }

  @Test func `limits of one class are its own`() throws {
    let site = try DeviceSite(#", "appBundle": {"size": 1}, "limits": {"packSize": 400000}"#)
    #expect(site.tool("plan", site.folder.path, "--device", "iPhone7,2").errors == "")
    #expect(
      site.tool("plan", site.folder.path, "--device", "iPhone17,1").errors.reports(
        "pack-size", naming: "500,000", "phone 3x P3 8 GB APPLE9", "100,000", "400,000"))
  }

  @Test func `unknown devices are guessed`() throws {
    let site = try DeviceSite()
    let result = site.tool("plan", site.folder.path, "--device", "iPhon17,1")
    #expect(result.status == .usage)
    #expect(
      result.errors.findings.first?.facts == #"packtool: error "--device" "iPhon17,1" "iPhone17,1""#)
  }

  /// The report has Apple's own format.
  ///
  /// CI plug-ins read its five lines.
  @Test func `the thinning report`() throws {
    let site = try DeviceSite(
      #", "devices": ["iPad13,1", "AppleTV11,1", "iPhone8,4"], "appBundle": {"size": 6700000}"#)
    let text = site.tool("plan", site.folder.path, "--format", "thinning-report", "-q").output
    #expect(
      text == """

        App Thinning Size Report for All Variants of game

        Variant: game-pad-2x-P3-3GB-APPLE7.ipa
        Supported variant descriptors: [device: iPad13,1, os-version: 9.0] and [device: iPad13,2, os-version: 9.0]
        App + On Demand Resources size: 6.8 MB compressed, 6.8 MB uncompressed
        App size: 6.7 MB compressed, 6.7 MB uncompressed
        On Demand Resources size: 121 KB compressed, 121 KB uncompressed


        Variant: game-phone-2x-sRGB-2GB-APPLE3.ipa
        Supported variant descriptors: [device: iPhone8,1, os-version: 9.0], [device: iPhone8,4, os-version: 9.0], and [device: iPod9,1, os-version: 9.0]
        App + On Demand Resources size: 6.8 MB compressed, 6.8 MB uncompressed
        App size: 6.7 MB compressed, 6.7 MB uncompressed
        On Demand Resources size: 121 KB compressed, 121 KB uncompressed


        Variant: game-tv-2x-P3-4GB-MTL5.1.ipa
        Supported variant descriptors: [device: AppleTV11,1, os-version: 9.0]
        App + On Demand Resources size: 7.2 MB compressed, 7.2 MB uncompressed
        App size: 6.7 MB compressed, 6.7 MB uncompressed
        On Demand Resources size: 521 KB compressed, 521 KB uncompressed


        Variant: game.ipa
        Supported variant descriptors: Universal
        App + On Demand Resources size: 7.4 MB compressed, 7.4 MB uncompressed
        App size: 6.7 MB compressed, 6.7 MB uncompressed
        On Demand Resources size: 661 KB compressed, 661 KB uncompressed

        """)
  }

  @Test(arguments: [
    (0, "Zero KB"), (1, "1 byte"), (999, "999 bytes"), (1000, "1 KB"), (1499, "1 KB"), (1500, "2 KB"),
    (999_499, "999 KB"),
    (999_500, "1 MB"), (6_650_000, "6.7 MB"), (18_649_999, "18.6 MB"), (999_949_999, "999.9 MB"),
    (999_950_000, "1 GB"), (1_234_999_999, "1.23 GB"), (1_500_000_000, "1.5 GB"), (999_995_000_000, "1 TB"),
    (Int64.max, "9223372.04 TB"),
  ]) func `sizes as apples formatter has them`(bytes: Int64, text: String) {
    #expect(SlicesReport.thinned(bytes) == text)
  }

  @Test func `a report without variants is universal`() throws {
    let site = try DeviceSite(#", "devices": []"#)
    let text = site.tool("plan", site.folder.path, "--format", "thinning-report", "-q").output
    #expect(text.contains("\nVariant: game.ipa\nSupported variant descriptors: Universal\n"))
    #expect(text.contains("App size: Zero KB compressed, Zero KB uncompressed\n"))
  }
}
