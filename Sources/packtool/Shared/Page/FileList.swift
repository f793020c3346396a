import Archiving
import Formats
import Model
import System

/// The format of the list that the page's script reads.
///
/// A field contains neither line ends nor field separators.
enum FileListForm: WrittenForm {
  static func escaped(_ text: String) -> String { harmless(text) }
}

extension SizeTree {
  /// The maximum size of the file list in Base64.
  ///
  /// If the list would be larger, it contains only the largest files.
  private static let maxListSize = 400_000

  /// Makes the hidden element that lists all delivery modes, packs, folders and files.
  ///
  /// The page's script uses the list to search and to draw.
  static func searchList(of release: Release, packNames: TagNames, files: ReportFiles) -> HTML {
    var leaves = 40_000
    while true {
      let tree = SizeTree(release, names: packNames, files: files, leafCount: leaves)
      let lines = tree.lines(tree.nodes, at: 1).bytes
      let packed = Base64.text(of: lines.withBytes { Deflater.gzip($0, level: 9).array() })
      leaves /= 2
      if packed.utf8.count <= maxListSize || leaves == 0 {
        return "<template id=\"all\">\(packed, upTo: .max)</template>"
      }
    }
  }

  /// Writes a line for each node: its depth, kind, sizes, name and tags.
  ///
  /// The name of a file does not repeat the part that is already in the name of the file's folder.
  func lines(_ nodes: [Node], at depth: Int) -> Written<FileListForm> {
    nodes.map { node -> Written<FileListForm> in
      let kind: Written<FileListForm> =
        switch node.kind {
        case .delivery(let delivery): Written(delivery.mark.name) { $0 }
        case .untagged: "u"
        case .pack: "k"
        case .folder: "d"
        case .file: "f"
        case .rest: "r"
        }
      let packed: Written<FileListForm> = node.packedSize.map { "\($0)" } ?? ""
      let name = node.kind == .file ? short(node) : name(of: node)
      let tags = node.tags.joined(separator: " + ").prefix(600)
      return
        "\(depth)\(kind)\(node.size)\u{1f}\(packed)\u{1f}\(name)\u{1f}\(tags)\n\(lines(node.children, at: depth + 1))"
    }.joined()
  }
}
