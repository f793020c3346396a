import Foundation
@testable import Model
@testable import Pipeline
@testable import packtool
import Support
import Testing

/// Tests builds for one device class, and the commands that read them.
@Suite struct SliceBuildTests {
  private func build(_ site: DeviceSite, _ output: String, _ words: String...) -> (
    status: packtool.ExitStatus, errors: String
  ) {
    let terminal = CapturedTerminal()
    let status = Tool.run(
      ["build", site.folder.path, "-o", site.path(output)] + words, environment: [:], terminal: terminal)
    return (status, terminal.errors)
  }

  private func index(_ site: DeviceSite, _ output: String) throws -> [String: Any] {
    let data = try Data(contentsOf: URL(fileURLWithPath: site.path("\(output)/index.json")))
    return try JSONSerialization.jsonObject(with: data) as? [String: Any] ?? [:]
  }

  @Test(arguments: ["zip", "tar.gz", "folder"]) func `a slice is built and verified`(container: String) throws
  {
    let site = try DeviceSite(#", "container": "\#(container)""#)
    #expect(build(site, "out", "--device", "iPhone17,1").status == .done)
    let index = try index(site, "out")
    #expect((index["device"] as? [String: Any])?["name"] as? String == "phone 3x P3 8 GB APPLE9")
    #expect(site.tool("verify", site.path("out")).status == .done)
    #expect(site.tool("unpack", site.path("out"), "-o", site.path("files"), "--all").status == .done)
    let files = try site.folder.files(below: "files").keys.sorted()
    #expect(
      Set(files.map { $0.split(separator: "/").suffix(2).joined(separator: "/") }) == [
        "Hero.imageset/3.png", "Hero.imageset/Contents.json", "plain/map.txt", "tex/rock.ktx",
      ])
    // The second build changes nothing. For another device class with the same memory, the textures are the
    // same.
    let again = site.tool("build", site.folder.path, "-o", site.path("out"), "--device", "iPhone17,1")
    #expect(again.output.contains("is up to date"))
    let other = site.tool(
      "build", site.folder.path, "-o", site.path("out"), "--device", "phone 2x P3 4 GB APPLE6", "--explain")
    #expect(other.output.contains("wrote"))
    #expect(other.errors.contains("Hero.imageset"))
    #expect(!other.errors.contains("rock.ktx"))
    #expect(site.tool("verify", site.path("out")).status == .done)
  }

  @Test func `two files for one place need a device`() throws {
    let site = try DeviceSite()
    let result = build(site, "out")
    #expect(result.status == .inputHasErrors)
    #expect(
      result.errors.reports("path-clash", naming: "2", "hd/rock.ktx", "sd/rock.ktx", "tex/rock.ktx"))
    #expect(!FileManager.default.fileExists(atPath: site.path("out/index.json")))
    let xcode = build(site, "out", "--layout", "xcode")
    #expect(xcode.status == .inputHasErrors)
    #expect(
      xcode.errors.reports("path-clash", naming: "xcode")
    )
    for command in ["validate", "plan"] {
      let run = site.tool(command, site.folder.path)
      #expect(run.status == .inputHasErrors)
      #expect(run.errors.reports("path-clash"))
      #expect(site.tool(command, site.folder.path, "--device", "iPhone17,1").status == .done)
      #expect(site.tool(command, site.folder.path, "--layout", "xcode").status == .inputHasErrors)
    }
    // For a single device class, there is only one file at the path.
    #expect(site.tool("plan", site.folder.path, "--devices").status == .done)
    #expect(site.tool("plan", site.folder.path, "--devices", "--layout", "xcode").status == .inputHasErrors)
  }

  /// In catalogs, there are never two files at one path.
  ///
  /// So a build without a device class has the packs for all devices, as the store expects.
  @Test func `catalogs are built whole`() throws {
    let site = try DeviceSite()
    try site.writeManifest("", packsHD: false)
    #expect(build(site, "out").status == .done)
    #expect(try index(site, "out")["device"] == nil)
    #expect(site.tool("unpack", site.path("out"), "-o", site.path("files"), "--all").status == .done)
    #expect(try site.folder.files(below: "files").keys.filter { $0.hasSuffix(".png") }.count == 3)
  }

  @Test(arguments: [
    (["--layout", "xcode"], #""--device" "xcode""#),
    (
      ["--layout", "hosted", "--url-prefix", "https://example.com/"],
      #""hosted""#
    ),
    (["--shard", "1/2"], #""--shard""#),
  ]) func `flags that do not go together`(words: [String], facts: String) throws {
    let site = try DeviceSite()
    let terminal = CapturedTerminal()
    let status = Tool.run(
      ["build", site.folder.path, "-o", site.path("out"), "--device", "iPhone17,1"] + words, environment: [:],
      terminal: terminal)
    #expect(status == .usage)
    #expect(terminal.errors.hasFacts(facts))
  }

  @Test func `diff compares slices`() throws {
    let site = try DeviceSite()
    for (name, device) in [("phone", "iPhone17,1"), ("old", "iPhone7,2")] {
      #expect(build(site, name, "--device", device).status == .done)
    }
    try site.write("C.xcassets/Hero.imageset/3.png", "new", size: 31_000)
    let phone = try site.json(
      "diff", site.path("phone"), site.folder.path, "--device", "iPhone17,1", "--format", "json")
    #expect(
      (phone["summary"] as? [String: Any])?["downloadByPacks"] as? Int == 31_000 + DeviceSite.contentsSize)
    let old = try site.json(
      "diff", site.path("old"), site.folder.path, "--device", "iPhone7,2", "--format", "json")
    #expect((old["summary"] as? [String: Any])?["downloadByPacks"] as? Int == 0)
    let wrong = site.tool("diff", site.path("old"), site.folder.path, "--device", "iPhone17,1")
    #expect(wrong.status == .usage)
    #expect(wrong.errors.refuses(naming: "SITE/old", "phone 2x sRGB 1 GB MTL2,2"))
    let mixed = site.tool("diff", site.path("old"), site.folder.path)
    #expect(mixed.status == .usage)
    #expect(
      mixed.errors.refuses(naming: "\"SITE/old\"", "\"phone 2x sRGB 1 GB MTL2,2\"", "\"SITE\""))
  }

  @Test func `diff says which devices a change reaches`() throws {
    let (old, new) = (try DeviceSite(), try DeviceSite())
    try new.write("C.xcassets/Hero.imageset/3.png", "new", size: 31_000)
    let text = old.tool("diff", old.folder.path, new.folder.path).output
    let size = 31_000 + DeviceSite.contentsSize
    #expect(
      text.contains(
        "\n13 of 51 device classes download 31.1 kB, such as \"phone 3x P3 12 GB APPLE10\"\n38 of 51 device classes download nothing, such as \"pad 1x sRGB 0 GB GLES2,0\"\n"
      ))
    let json = try old.json("diff", old.folder.path, new.folder.path, "--format", "json")
    let groups = try #require(json["devices"] as? [[String: Any]])
    #expect(groups.map { $0["download"] as? Int } == [size, 0])
    #expect(groups.map { ($0["names"] as? [String])?.count } == [13, 38])
    #expect(
      old.tool("diff", old.folder.path, new.folder.path, "--format", "markdown").output.contains(
        "- 13 of 51 device classes download 31.1 kB"))
    // The small textures are for devices with less than 4 GB of memory.
    try new.write("sd/rock.ktx", "new sd", size: 90_000)
    let both = try old.json("diff", old.folder.path, new.folder.path, "--format", "json")
    let counts = (both["devices"] as? [[String: Any]] ?? []).map { group in
      [group["download"] as? Int ?? -1, (group["names"] as? [String] ?? []).count]
    }
    func count(_ isIncluded: (DeviceClass) -> Bool) -> Int {
      DeviceClass.all.count { $0.idiom != .tv && isIncluded($0) }
    }
    #expect(
      counts == [
        [90_000 + size, count { $0.scale == 3 && $0.memory < 4 }],
        [90_000, count { $0.scale < 3 && $0.memory < 4 }],
        [size, count { $0.scale == 3 && $0.memory >= 4 }], [0, count { $0.scale < 3 && $0.memory >= 4 }],
      ])
    #expect(
      !old.tool("diff", old.folder.path, new.folder.path, "--device", "iPhone17,1").output.contains(
        "device classes"))
  }

  /// A built folder contains no traits.
  ///
  /// The newer manifest shows which variants are at the same paths.
  @Test func `diff reaches from a built folder`() throws {
    let site = try DeviceSite()
    try site.writeManifest("", packsHD: false)
    #expect(build(site, "out").status == .done)
    #expect(
      site.tool("diff", site.path("out"), site.folder.path).output.contains(
        "\n51 of 51 device classes download nothing"))
    try site.write("C.xcassets/Hero.imageset/2.png", "new", size: 21_000)
    let text = site.tool("diff", site.path("out"), site.folder.path).output
    #expect(text.contains("of 51 device classes download 21.1 kB, such as \"pad 2x P3 12 GB APPLE10\""))
  }

  @Test func `simulate counts a slice`() throws {
    let site = try DeviceSite()
    try site.folder.write(
      "play.json", #"{"link": "LTE", "steps": [{"begin": ["Rocks"], "as": "r"}, {"await": "r"}]}"#)
    #expect(build(site, "old", "--device", "iPhone7,2").status == .done)
    func transferred(_ words: String...) throws -> Int? {
      let terminal = CapturedTerminal()
      _ = Tool.run(
        ["simulate", site.path("play.json")] + words + ["--format", "json", "-q"], environment: [:],
        terminal: terminal)
      let json = try JSONSerialization.jsonObject(with: Data(terminal.output.utf8)) as? [String: Any]
      return (json?["summary"] as? [String: Any])?["transferred"] as? Int
    }
    #expect(try transferred(site.folder.path) == 600_000)
    #expect(try transferred(site.folder.path, "--device", "iPhone17,1") == 500_000)
    #expect(try transferred(site.folder.path, "--device", "iPhone7,2") == 100_000)
    #expect((try transferred(site.path("old"), "--device", "iPhone7,2") ?? 100_000) < 100_000)
    #expect(try transferred(site.path("old")) == transferred(site.path("old"), "--device", "iPhone7,2"))
    let wrong = site.tool("simulate", site.path("play.json"), site.path("old"), "--device", "iPhone17,1")
    #expect(wrong.status == .usage)
    #expect(
      wrong.errors.refuses(naming: "phone 2x sRGB 1 GB MTL2,2", "phone 3x P3 8 GB APPLE9")
    )
  }

  @Test func `explain says who gets a file`() throws {
    let site = try DeviceSite()
    let file = site.tool("explain", "C.xcassets/Hero.imageset/3.png", site.folder.path).output
    #expect(
      file.contains(
        "  variant of \"C.xcassets/Hero.imageset\": 3x\n  on devices: 13 of 51 device classes get this file, such as \"phone 3x P3 12 GB APPLE10\"\n"
      ))
    #expect(
      file.contains(
        "  on devices: from 10.1 kB, such as \"pad 1x sRGB 0 GB GLES2,0\", to 30.1 kB, such as \"phone 3x P3 12 GB APPLE10\"\n"
      ))
    let json = try site.json(
      "explain", "C.xcassets/Hero.imageset/3.png", site.folder.path, "--format", "json", "-q")
    let subject = try #require((json["subjects"] as? [[String: Any]])?.first)
    let variant = try #require(subject["variant"] as? [String: Any])
    #expect((variant["devices"] as? [String])?.count == 13)
    #expect(variant["deviceCount"] as? Int == 51)
    #expect(!site.tool("explain", "plain/map.txt", site.folder.path).output.contains("device"))
  }

  @Test func `devices are listed`() throws {
    let site = try DeviceSite()
    let json = try site.json("devices", "--format", "json")
    let devices = try #require(json["devices"] as? [[String: Any]])
    #expect(devices.count == 55)
    #expect(json["asOf"] as? String == DeviceClass.asOf)
    #expect(
      devices.first { ($0["name"] as? String) == "pad 2x P3 3 GB MTL4,1" }?["graphicsFallbacks"] as? [String]
        == [
          "MTL3,2", "MTL3,1", "MTL2,2", "MTL1,2", "GLES2,0",
        ])
    let text = site.tool("devices").output
    #expect(text.split(separator: "\n").count == 57)
    #expect(text.contains("\n55 classes, as of 2026-08-22\nsource: "))
    #expect(
      site.tool("devices", "iPad7,7").output.hasPrefix(
        "iPad7,7 belongs to the device class \"pad 2x P3 3 GB MTL4,1\"\n"))
    #expect(site.tool("devices", "nothing").status == .usage)
  }
}
