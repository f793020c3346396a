import Archiving

/// Writes `contents.<digest>.json`: a line for each file of a build, by its path inside the pack.
///
/// Line by line, not as one value: a million files must not stand in memory a second time.
struct ContentsFormat {
  let plan: PackPlan
  /// What packing showed of each file of the tree, by its number.
  let packed: [PackedFile?]

  /// What the list of a digest is called.
  static func name(_ digest: Digest) -> String { "contents.\(digest.short).json" }

  func write(to file: inout OutputFile) throws(SystemError) {
    var lines = ByteBuffer()
    lines.append("{\n  \"files\": [")
    var separator = "\n"
    let packs = packOfTagSet
    for number in plan.filesByPackPath {
      let asset = plan.tree.files[number]
      lines.append(separator)
      lines.append("    {\"digest\": \"sha256:")
      lines.append(hexOf: packed[number]?.digest ?? .zero)
      lines.append("\", \"pack\": ")
      lines.append(json: packs[Int(asset.tagSet)])
      lines.append(", \"path\": ")
      lines.append(json: asset.packPath)
      lines.append(", \"size\": \(asset.size)}")
      separator = ",\n"
      if lines.count > 1 << 16 {
        try lines.withBytes { bytes throws(SystemError) in try file.write(bytes) }
        lines.clear()
      }
    }
    lines.append("\n  ],\n  \"formatVersion\": \(Index.formatVersion)\n}\n")
    try lines.withBytes { bytes throws(SystemError) in try file.write(bytes) }
  }

  /// The identifier of each tag set's pack.
  private var packOfTagSet: [String] {
    var identifiers = Array(repeating: "", count: plan.tree.tagSets.count)
    for pack in plan.packs {
      guard let first = pack.files.first else { continue }
      identifiers[Int(plan.tree.files[first].tagSet)] = pack.identity.identifier
    }
    return identifiers
  }
}
