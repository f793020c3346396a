import Foundation
import Support
import Testing
@testable import packtool

/// Tests the settings of the layout in the manifest, and flags that take precedence over them.
@Suite struct LayoutSettingTests {
  private static let rules = #""resources": [{"path": "a", "tags": ["A"]}, {"path": "b", "tags": ["B"]}]"#

  /// Makes a project whose manifest has a `layout`, in a folder that is not the current directory.
  private func project(_ layout: String, more: String = "") throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    for name in ["a/1", "b/2"] { try folder.write("game/\(name)", name) }
    try folder.write(
      "game/Manifest.json",
      "{\"bundleIdentifier\": \"com.example.game\", \(more)\n\"layout\": \(layout),\n\(Self.rules)}")
    return folder
  }

  private func build(_ folder: TemporaryFolder, _ flags: String...) -> ToolRun {
    ToolRun(["build", folder.path("game"), "-o", folder.path("out")] + flags)
  }

  private func exists(_ path: String, in folder: TemporaryFolder) -> Bool {
    FileManager.default.fileExists(atPath: folder.path(path))
  }

  @Test func `the manifest chooses the layout and its settings`() throws {
    let folder = try project(
      #"{"name": "background-assets", "platforms": ["tvOS"], "idMap": "ids.json"}"#,
      more: #""untagged": "error","#)
    #expect(build(folder).status == .done)
    #expect(exists("out/tags.json", in: folder) && exists("game/ids.json", in: folder))
    let manifests = try FileManager.default.contentsOfDirectory(atPath: folder.path("out/manifests"))
    let text = try String(decoding: folder.read("out/manifests/\(manifests[0])"), as: UTF8.self)
    #expect(text.contains("tvOS") && !text.contains("macOS"))
    // The lockfile is in the root, but it is not an asset, and not a file without tags.
    #expect(build(folder).status == .done)
    for command in ["validate", "plan"] {
      let run = ToolRun([command, folder.path("game")])
      #expect(run.status == .done && !run.all.contains { $0.id == "untagged-file" })
    }
  }

  @Test func `a flag outranks the manifest`() throws {
    let folder = try project(#"{"name": "background-assets", "platforms": ["tvOS"], "idMap": "ids.json"}"#)
    #expect(build(folder, "--layout", "packtool").status == .done)
    #expect(exists("out/index.json", in: folder) && !exists("game/ids.json", in: folder))
    let other = try project(#"{"name": "background-assets", "platforms": ["tvOS"], "idMap": "ids.json"}"#)
    #expect(build(other, "--platforms", "macOS", "--id-map", other.path("own.json")).status == .done)
    #expect(exists("own.json", in: other) && !exists("game/ids.json", in: other))
    let manifests = try FileManager.default.contentsOfDirectory(atPath: other.path("out/manifests"))
    let text = try String(decoding: other.read("out/manifests/\(manifests[0])"), as: UTF8.self)
    #expect(text.contains("macOS") && !text.contains("tvOS"))
  }

  @Test func `self-hosted packs need only the manifest`() throws {
    let folder = try project(
      #"{"name": "background-assets", "selfHosted": true, "ledger": "versions.json", "#
        + #""urlPrefix": "https://example.com/packs/"}"#)
    #expect(build(folder).status == .done)
    #expect(exists("game/versions.json", in: folder) && exists("out/download-manifest.json", in: folder))
    let text = try String(decoding: folder.read("out/download-manifest.json"), as: UTF8.self)
    #expect(text.contains("example.com"))
  }

  @Test func `the URL prefix and the device class are settings, too`() throws {
    let hosted = try project(#"{"name": "hosted", "urlPrefix": "https://example.com/p/"}"#)
    #expect(build(hosted).status == .done)
    #expect(exists("out/AssetPackManifest.plist", in: hosted))
    let device = try project(#"{"deviceClass": "iPhone17,1"}"#)
    #expect(build(device).status == .done)
    let index = try String(decoding: device.read("out/index.json"), as: UTF8.self)
    #expect(index.contains("\"device\""))
    // The class is of another layout.
    #expect(build(device, "--layout", "xcode").status != .usage)
  }

  @Test func `the layout decides the limits of each manifest`() throws {
    let one = try project(#"{"name": "background-assets"}"#)
    let two = try project("{}")
    let text = runTool("plan", one.path("game"), "--format", "json").output
    #expect(text.contains(#""limits": "background-assets""#))
    #expect(!runTool("plan", two.path("game"), "--format", "json").output.contains("background-assets"))
    #expect(ToolRun(["validate", one.path("game"), two.path("game")]).status == .done)
  }

  @Test(arguments: [
    (#"{"name": "hostd"}"#, #"2:20: error [invalid-value] "hostd" "hosted""#),
    (#"{"platforms": ["iPadOS"]}"#, #"2:26: error [invalid-value] "iPadOS" "iOS""#),
    (#"{"bundleVersion": "28"}"#, #"2:29: error [invalid-value] "28""#),
    (#"{"urlPrefix": "ftp://x/"}"#, #"2:25: error [invalid-url-prefix] "ftp://x/""#),
    (#"{"idMap": "/ids.json"}"#, #"2:21: error [invalid-path] "/ids.json""#),
    (#"{"deviceClass": "iPhon17,1"}"#, #"2:27: error [invalid-value] "iPhon17,1" "iPhone17,1""#),
    (#"{"selfHosted": true}"#, #"2:26: error [invalid-value] "selfHosted" "ledger""#),
    (#"{"platform": ["iOS"]}"#, #"2:12: error [unknown-key] "platform" "platforms""#),
  ])
  func `a wrong value is a finding with its place`(layout: String, finding: String) throws {
    let folder = try project(layout)
    let run = ToolRun(["validate", folder.path("game")])
    #expect(run.status == .inputHasErrors)
    let found = try #require(run.all.first)
    let parts = finding.split(separator: " ", maxSplits: 3)
    #expect("\(found.line ?? 0):\(found.column ?? 0):" == parts[0], "\(found)")
    #expect("[\(found.id)]" == parts[2])
  }
}
