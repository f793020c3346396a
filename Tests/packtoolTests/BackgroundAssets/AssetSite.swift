import Foundation
import Support
import Testing
@testable import packtool

/// A project that builds packs for Background Assets.
struct AssetSite {
  let folder: TemporaryFolder

  /// Makes a project whose manifest has the given rules and additional keys.
  ///
  /// The content of each file is its path.
  init(
    _ files: String..., rules: String, keys: String = "\"initialInstallTags\": [], \"prefetchTagOrder\": []"
  ) throws {
    folder = try TemporaryFolder()
    for file in files { try folder.write("Assets/\(file)", "content of \(file)") }
    try write(rules: rules, keys: keys)
  }

  /// Makes a project with three packs, one for each delivery mode.
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

  /// Replaces the project's manifest.
  func write(rules: String, keys: String) throws {
    try folder.write(
      "Manifest.json",
      "{\"bundleIdentifier\": \"com.example.game\", \"root\": \"Assets\", \"resources\": [\(rules)], \(keys)}"
    )
  }

  /// Builds the project into the folder `out`.
  @discardableResult
  func build(_ flags: String..., environment: [String: String] = [:]) -> ToolResult {
    runTool(
      words: ["build", folder.path, "-o", folder.path("out"), "--layout", "background-assets"] + flags,
      environment: environment)
  }

  func verify() -> ToolResult {
    runTool("verify", folder.path("out"))
  }

  /// Returns a JSON file below the folder.
  ///
  /// It is read with a JSON parser that is not packtool's.
  func json(_ path: String) throws -> [String: Any] {
    try #require(try JSONSerialization.jsonObject(with: folder.read(path)) as? [String: Any])
  }

  /// Returns the names in a folder of the build, sorted.
  func names(_ path: String) -> [String] {
    ((try? FileManager.default.contentsOfDirectory(atPath: folder.path("out/\(path)"))) ?? []).sorted()
  }

  /// Returns the id of the pack with the given tags, as listed in `tags.json`.
  func id(of tags: String...) throws -> String {
    let packs = try #require(try json("out/tags.json")["packs"] as? [String: [String: Any]])
    return try #require(packs.first { ($0.value["tags"] as? [String]) == tags.sorted() }?.key)
  }

  /// Returns the path that `package.sh` uses for the archive of a pack's current contents.
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
