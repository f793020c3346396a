import Foundation
import Support
import Testing
@testable import packtool

/// A project whose packs are built for Background Assets.
struct AssetSite {
  let folder: TemporaryFolder

  /// A project with some rules and further keys of the manifest; files have their paths as content.
  init(
    _ files: String..., rules: String, keys: String = "\"initialInstallTags\": [], \"prefetchTagOrder\": []"
  ) throws {
    folder = try TemporaryFolder()
    for file in files { try folder.write("Assets/\(file)", "content of \(file)") }
    try write(rules: rules, keys: keys)
  }

  /// Three packs, one of each delivery.
  init(keys: String = "") throws {
    folder = try TemporaryFolder()
    for file in ["a/1", "a/2 ü", "b/x/1", "c/1"] { try folder.write("Assets/\(file)", "content of \(file)") }
    try write(
      rules: """
        {"path": "a", "tags": ["Level 1"]}, {"path": "b", "tags": ["Level 2", "Boss"]}, {"path": "c", "tags": ["Musik"]}
        """,
      keys: "\"initialInstallTags\": [\"Level 1\"], \"prefetchTagOrder\": [\"Boss\"]"
        + (keys.isEmpty ? "" : ", \(keys)"))
  }

  /// Replaces the manifest.
  func write(rules: String, keys: String) throws {
    try folder.write(
      "Manifest.json",
      "{\"bundleIdentifier\": \"com.example.game\", \"root\": \"Assets\", \"resources\": [\(rules)], \(keys)}"
    )
  }

  /// Builds to `out`.
  @discardableResult
  func build(_ flags: String..., environment: [String: String] = [:]) -> ToolResult {
    runTool(
      words: ["build", folder.path, "-o", folder.path("out"), "--layout", "background-assets"] + flags,
      environment: environment)
  }

  func verify() -> ToolResult {
    runTool("verify", folder.path("out"))
  }

  /// A JSON file below the folder, as another program reads it.
  func json(_ path: String) throws -> [String: Any] {
    try #require(try JSONSerialization.jsonObject(with: folder.read(path)) as? [String: Any])
  }

  /// The names in a folder of the build, sorted.
  func names(_ path: String) -> [String] {
    ((try? FileManager.default.contentsOfDirectory(atPath: folder.path("out/\(path)"))) ?? []).sorted()
  }

  /// The id of the pack of some tags, from `tags.json`.
  func id(of tags: String...) throws -> String {
    let packs = try #require(try json("out/tags.json")["packs"] as? [String: [String: Any]])
    return try #require(packs.first { ($0.value["tags"] as? [String]) == tags.sorted() }?.key)
  }

  /// The path of the archive of a pack in its present state, as `package.sh` names it.
  func archive(of id: String) throws -> String {
    let script = String(decoding: try folder.read("out/package.sh"), as: UTF8.self)
    let start = try #require(script.range(of: "[ -e archives/\(id)."))
    return "archives/\(id)." + script[start.upperBound...].prefix { $0 != " " }
  }

  func inode(_ path: String) throws -> Int {
    try #require(
      try FileManager.default.attributesOfItem(atPath: folder.path(path))[.systemFileNumber] as? Int)
  }
}
