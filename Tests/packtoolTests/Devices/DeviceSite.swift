import Foundation
@testable import Model
@testable import Pipeline
@testable import packtool
import Support

/// A small game with a catalog, and with textures.
///
/// The textures have variants because of rules and because of their names. In addition, it can run commands
/// on the game.
struct DeviceSite {
  let folder: TemporaryFolder

  /// The sizes of the files are so different that every sum shows which files were added.
  init(_ members: String = "") throws {
    folder = try TemporaryFolder()
    try writeManifest(members)
    try write("C.xcassets/Hero.imageset/Contents.json", #"{"images": [\#(Self.entries)]}"#, size: nil)
    for (name, size) in [("1.png", 10_000), ("2.png", 20_000), ("3.png", 30_000)] {
      try write("C.xcassets/Hero.imageset/\(name)", name, size: size)
    }
    try write("hd/rock.ktx", "hd", size: 500_000)
    try write("sd/rock.ktx", "sd", size: 100_000)
    try write("plain/map.txt", "map", size: 1000)
  }

  private static let entries = (1...3).map { #"{"scale": "\#($0)x", "filename": "\#($0).png"}"# }.joined(
    separator: ",")

  /// The size of the asset set's Contents.json.
  static let contentsSize = #"{"images": [\#(entries)]}"#.utf8.count

  /// Writes the manifest with additional members.
  func writeManifest(_ members: String, packsHD: Bool = true) throws {
    let textures =
      #"{"path": "sd", "tags": ["Rocks"], "destination": "tex"}"#
      + (packsHD ? #",{"path": "hd", "tags": ["Rocks"], "destination": "tex", "traits": {"memory": 4}}"# : "")
    // Without this setting, the note about catalogs would be reported in every run.
    let quiet =
      members.contains("\"severity\"") ? "" : #", "severity": {"uncompiled-catalog": "ignore"}"#
    try folder.write(
      "Manifest.json",
      #"""
      {"bundleIdentifier": "com.example.game", "root": "Assets",
       "resources": [{"path": "C.xcassets", "tags": ["Art"]}, {"path": "plain", "tags": ["Art", "Maps"]}, \#(textures)],
       "prefetchTagOrder": ["Rocks"]\#(quiet)\#(members)}
      """#)
  }

  /// Writes a file that begins with a string and has the given size in bytes.
  func write(_ path: String, _ text: String, size: Int?) throws {
    var data = Data(text.utf8)
    if let size, size > data.count { data += Data(repeating: 0x20, count: size - data.count) }
    try folder.write("Assets/\(path)", data)
  }

  func path(_ path: String) -> String { folder.path(path) }

  /// Runs a command with the given words.
  ///
  /// In the output, SITE stands for the folder.
  func tool(_ words: String...) -> ToolResult {
    let terminal = CapturedTerminal()
    let status = Tool.run(words, environment: [:], terminal: terminal)
    let local = { (text: String) in text.replacingOccurrences(of: folder.path, with: "SITE") }
    return ToolResult(status: status, output: local(terminal.output), errors: local(terminal.errors))
  }

  /// Returns the JSON document that a command prints.
  func json(_ words: String...) throws -> [String: Any] {
    let terminal = CapturedTerminal()
    _ = Tool.run(words, environment: [:], terminal: terminal)
    let value = try JSONSerialization.jsonObject(with: Data(terminal.output.utf8))
    return value as? [String: Any] ?? [:]
  }
}
