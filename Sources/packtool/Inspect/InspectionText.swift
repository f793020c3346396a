import Findings
import Formats
import PackKit
import Releases
import System

/// What was found in a pack, an index or a property list, for people.
struct InspectionText {
  private let inspection: Inspection

  init(_ inspection: Inspection) {
    self.inspection = inspection
  }

  var text: PlainText {
    switch inspection {
    case .pack(let pack): text(of: pack)
    case .list(_, let item): text(of: item)
    case .export(let export):
      export.lists.sorted { $0.key < $1.key }.map { "\(displayed($0.key)):\n\(text(of: $0.value))" }.joined(
        separator: "\n")
    case .builtFolder(let folder): text(of: folder)
    }
  }

  private func text(of item: PlistItem) -> PlainText { PlainText(JSONText(item)) }

  private func text(of pack: PackListing) -> PlainText {
    var text: PlainText = ""
    if let identifier = pack.identifier { text += "identifier: \(displayed(identifier))\n" }
    if let tags = pack.tags { text += "tags: \(tags.map { quoted($0) }.joined(separator: ", "))\n" }
    if let priority = pack.priority { text += "priority: \(priority)\n" }
    var table = TextTable([.right, .left])
    for file in pack.contents { table.add(grouped(file.size), displayed(file.path)) }
    let size = pack.contents.saturatingSum { $0.size }
    return text + "\(counted(pack.contents.count, "file")), \(grouped(size)) bytes\n"
      + table.text(indentation: 2)
  }

  private func text(of folder: BuiltFolder) -> PlainText {
    guard let index = folder.index else { return "" }
    var table = TextTable([.left, .left, .right, .right, .left])
    for pack in index.packs {
      table.add(
        displayed(pack.tags.joined(separator: " + ")), pack.delivery.title, counted(pack.fileCount, "file"),
        ByteSize.text(pack.size), displayed(pack.archive.path))
    }
    return "\(displayed(index.bundleIdentifier)): \(BuiltFolderText.size(of: index))\n"
      + table.text(indentation: 2)
  }
}
