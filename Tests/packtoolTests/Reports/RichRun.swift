import Foundation
import Support

/// A run with findings of every sort: about the manifest and about files, with notes, with places and without
/// places.
struct RichRun {
  let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    try folder.write("Manifest.json", Self.manifest)
    try folder.write("Assets/Levels/1/map", String(repeating: "1", count: 80))
    try folder.write("Assets/Levels/2/map", String(repeating: "2", count: 70))
    try folder.write("Assets/Levels/2/hero", String(repeating: "3", count: 13))
    try folder.write("Assets/100%: a,b/<&> \"'.txt", "")
    try folder.write("Assets/100%: a,b/pointer.png", "version https://git-lfs.github.com/spec/v1\n")
    try folder.write("Assets/100%: a,b/tool", "\u{7f}ELF, or so it says")
  }

  /// The manifest contains mistakes, a tab, and characters of four bytes before the places of findings.
  private static let manifest = """
    {
      "bundleIdentifier": "com.example.rich",
      "root": "Assets",
      "resources": [
        { "path": "Levels", "tags": ["Levels 🏰", "Levels 🏰"] },
    \t{ "path": "100%: a,b", "tags": ["Odd",\t"Odd"] },
        { "path": "Levels", "tags": ["Levels 🏰"] },
        { "path": "Lost", "tags": ["Odd"] }
      ],
      "initialInstallTags": ["Odd"],
      "prefetchTagOrder": ["Levls 🏰"],
      "limits": { "packSize": 100 },
      "colour": true
    }

    """
}
