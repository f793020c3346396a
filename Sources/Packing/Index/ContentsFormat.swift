import Formats
import PackKit
import System

/// Writes `contents.<digest>.json`: a line for each file of a build, by its path inside the pack.
///
/// It is written line by line, so that a million files are not held in memory a second time.
struct ContentsFormat {
  let plan: PackPlan
  /// The packed files of each pack, in the plan's order and the pack's.
  let packed: [[PackedFile]]

  /// The file name of the list with a digest.
  static func name(_ digest: Digest) -> String { "contents.\(digest.short).json" }

  func write(to file: inout OutputFile) throws(SystemError) {
    var lines = ByteBuffer()
    lines.append("{\n  \"files\": [")
    var separator = "\n"
    let packs = plan.packOfTagSet
    // A pack's files are in the order of all files.
    var next = Array(repeating: 0, count: plan.packs.count)
    for number in plan.filesByPackPath {
      let asset = plan.tree.files[number]
      let pack = packs[Int(asset.tagSet)]
      lines.append(separator)
      lines.append("    {\"digest\": \"sha256:")
      let packedFile = packed[pack][next[pack]]
      lines.append(hexOf: packedFile.digest)
      next[pack] += 1
      lines.append("\", \"pack\": ")
      lines.append(json: plan.packs[pack].identity.identifier)
      if let size = packedFile.packedSize { lines.append(", \"packed\": \(size)") }
      lines.append(", \"path\": ")
      lines.append(json: asset.packPath)
      lines.append(", \"size\": \(asset.size)}")
      separator = ",\n"
      if lines.count > 1 << 16 {
        try file.write(lines)
        lines.clear()
      }
    }
    lines.append("\n  ],\n  \"formatVersion\": \(IndexFormat.version)\n}\n")
    try file.write(lines)
  }
}
