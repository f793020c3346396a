import Findings
import PackKit
import Serving

/// What a server says when it begins.
struct ServerText {
  private let urls: [String]
  private let table: ServedTable
  private let path: String

  init(_ server: PackServer, _ table: ServedTable, path: String) {
    urls = server.urls
    self.table = table
    self.path = path
  }

  /// Where it is, and for layouts whose packs are found by a URL prefix the setting of a project.
  var text: PlainText {
    let setting: PlainText = table.layout == .hosted ? "ASSET_PACK_MANIFEST_URL_PREFIX = \(urls[0])\n" : ""
    let places: PlainText = urls.map { "\($0)\n" as PlainText }.joined()
    return "serving \(quoted(path)): \(Self.size(of: table))\n" + places + setting
  }

  /// What keeps apps from finding the packs here; nil for nothing that is known.
  var hint: PlainText? {
    guard let prefix = table.prefix, !urls.contains(where: prefix.hasPrefix) else { return nil }
    return
      "the URLs in its list begin with \(quoted(prefix)); to fetch packs here, build with --url-prefix \(urls[0])\n"
  }

  /// The layout and how much there is.
  static func size(of table: ServedTable) -> PlainText {
    "layout \(table.layout.rawValue), \(counted(table.packs.count, "pack")), \(ByteSize.text(table.size))"
  }
}
