import Findings
import Formats
package import System

/// Writes a manifest for people: in the style of `fmt`, without default values.
package struct ManifestFormat {
  private let manifest: Manifest
  private let root: String
  private let schema: String?

  /// - Parameters:
  ///   - manifest: what is written, without tags of its lists that nothing carries.
  ///   - root: the root as seen from the folder that the text will lie in.
  ///   - schema: the path of the JSON Schema for editors; nil for none.
  package init(_ manifest: Manifest, root: String, schema: String? = nil) {
    self.schema = schema
    self.manifest = manifest
    self.root = root
  }

  package func bytes() -> ByteBuffer {
    var lines = schema.map { ["\"$schema\": \(Self.json($0))"] } ?? []
    lines += ["\"bundleIdentifier\": \(Self.json(manifest.bundleIdentifier))"]
    if root != "." { lines.append("\"root\": \(Self.json(root))") }
    lines.append("\"resources\": [\(manifest.rules.map(Self.text).joined(separator: ","))]")
    if !manifest.excludes.isEmpty { lines.append("\"exclude\": \(Self.list(manifest.excludes.map(\.text)))") }
    if manifest.downloadsOnUpdate { lines.append("\"onUpdate\": true") }
    if !manifest.languages.isEmpty {
      let languages = manifest.languages.sorted { $0.key.precedesInBytes($1.key) }
      lines.append(
        "\"languages\": {\(languages.map { "\(Self.json($0.key)): \(Self.json($0.value.value))" }.joined(separator: ","))}"
      )
    }
    let initial = known(manifest.initialInstallTags)
    if !initial.isEmpty { lines.append("\"initialInstallTags\": \(Self.list(initial))") }
    let order = prefetchOrder
    if !order.isEmpty { lines.append("\"prefetchTagOrder\": \(Self.list(order))") }
    var intended: [Check] = []
    if Set(order).count < order.count { intended.append(.repeatedTag) }
    let own = Set(manifest.prefetchTagOrder.map(\.value))
    if initial.contains(where: { order.contains($0) && !own.contains($0) }) {
      intended.append(.tagInBothLists)
    }
    if !intended.isEmpty {
      let severities = intended.map { "\(Self.json($0.id)): \"ignore\"" }.joined(separator: ", ")
      lines.append("\"severity\": { \(severities) }")
    }
    let text = SourceText(path: Manifest.fileName, bytes: Array("{\(lines.joined(separator: ","))}".utf8))
    var buffer = ByteBuffer()
    // Only a text that no manifest may have is too long.
    buffer.append(EditedText(text, JSONStyle.edits(of: text) ?? []).bytes[...])
    return buffer
  }

  /// The tags of a list that a rule gives, each once.
  private func known(_ tags: [Located<String>]) -> [String] {
    var seen: Set<String> = []
    return tags.map(\.value).filter { manifest.firstPlaces[$0] != nil && seen.insert($0).inserted }
  }

  /// The prefetch order with as many tags as the manifest's, since priorities depend on their number and first places.
  ///
  /// A tag that nothing carries makes room for one that changes no priority: a tag of the initial install, or the one
  /// before it again. At the front of a list without an initial install there is none.
  private var prefetchOrder: [String] {
    let first = known(manifest.initialInstallTags).first
    var order: [String] = []
    for tag in manifest.prefetchTagOrder.map(\.value) {
      let isKnown = manifest.firstPlaces[tag] != nil
      if let tag = isKnown ? tag : order.last ?? first { order.append(tag) }
    }
    return known(manifest.prefetchTagOrder).isEmpty ? [] : order
  }

  /// A rule as JSON.
  package static func text(of rule: ResourceRule) -> String {
    let key = if case .glob = rule.pattern { "glob" } else { "path" }
    var text = "{ \"\(key)\": \(json(rule.text.value))"
    if !rule.tags.isEmpty { text += ", \"tags\": \(list(rule.tags.map(\.value)))" }
    if !rule.templates.isEmpty {
      text += ", \"tagTemplates\": \(list(rule.templates.map(\.text.value)))"
    }
    if let destination = rule.destination {
      text +=
        ", \"destination\": \(json(destination.path.text + (destination.isFolder && !destination.path.isRoot ? "/" : "")))"
    }
    return text + " }"
  }

  /// Texts as a JSON array.
  package static func list(_ values: [String]) -> String {
    "[" + values.map(json).joined(separator: ", ") + "]"
  }

  private static func json(_ text: String) -> String {
    var buffer = ByteBuffer()
    buffer.append(json: text)
    return String(decoding: buffer.array(), as: UTF8.self)
  }
}
