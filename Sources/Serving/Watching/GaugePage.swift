import Formats
import Model
import Pipeline
import System

/// Makes the page at `/`.
///
/// The page shows each tag with its packs and sizes, and the number of bytes that clients have downloaded.
func gaugePage(of table: ServedTable, path: String) -> HTML {
  let figures = GaugeFigures(table)
  let events: HTML = "/.packtool/events"
  let rows = figures.rows.map { row -> HTML in
    """
    <tr data-size="\(row.size)"><td>\(row.tag)</td><td class="n">\(row.packs)</td>\
    <td class="n">\(ByteSize.text(row.size))</td><td class="n">\(ByteSize.text(row.fetched))</td>\
    <td><meter min="0" max="\(max(row.size, 1))" value="\(row.fetched)"></meter></td></tr>

    """
  }
  let body: HTML = """
    <h1>packtool serve</h1>
    <p>\(path) · layout \(table.layout.rawValue) · \(counted(table.packs.count, of: "pack")) · \(ByteSize.text(table.size))</p>
    <p id="state" role="status">waiting for the server</p>
    <table id="tags" data-release="\(figures.release)" data-events="\(events)">
    <thead><tr><th>tag</th><th class="n">packs</th><th class="n">size</th><th class="n">fetched</th><th></th></tr></thead>
    <tbody>
    \(rows)</tbody>
    </table>
    """
  return .page(
    title: "packtool serve \(path)", style: gaugeStyle, script: gaugeScript, body: body,
    connections: .ownServer
  )
}

/// The state of each tag for a debug gauge.
struct GaugeFigures {
  /// A key that changes when the server begins to serve another build.
  let release: String
  /// The values in the row of a tag.
  struct Row {
    let tag: String
    /// The number of the tag's packs.
    let packs: Int
    /// The total size of the tag's packs in bytes.
    let size: Int64
    /// The number of bytes of the tag's packs that clients have downloaded.
    let fetched: Int64
  }

  let rows: [Row]

  init(_ table: ServedTable) {
    release = "\(table.index.stamp.identity.inode).\(table.index.stamp.changed)"
    let fetched = table.fetchedSizes
    rows = table.tags.map { tag in
      Row(
        tag: tag.name, packs: tag.packs.count, size: tag.packs.saturatingSum { table.packs[$0].size },
        fetched: tag.packs.saturatingSum { fetched[$0] })
    }
  }

  /// The message that updates a page with these rows.
  var json: JSONText {
    .object(["release": .string(release), "fetched": .array(rows.map { .integer($0.fetched) })])
  }
}
