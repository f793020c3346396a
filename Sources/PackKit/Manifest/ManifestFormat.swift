import Findings
import Formats
package import System

/// Writes a manifest for people: one rule per line, and no default values.
package struct ManifestFormat {
  private let manifest: Manifest
  private let root: String
  private let schema: String?

  /// - Parameters:
  ///   - manifest: what is written; tags of its lists that nothing carries are left out.
  ///   - root: the root as seen from the folder that the text will lie in.
  ///   - schema: the path of the JSON Schema for editors; nil for none.
  package init(_ manifest: Manifest, root: String, schema: String? = nil) {
    self.schema = schema
    self.manifest = manifest
    self.root = root
  }

  package func bytes() -> ByteBuffer {
    var lines = schema.map { ["\"$schema\": \(json($0))"] } ?? []
    lines += ["\"bundleIdentifier\": \(json(manifest.bundleIdentifier))"]
    if root != "." { lines.append("\"root\": \(json(root))") }
    let rules = manifest.rules.map { "    \(text(of: $0))" }.joined(separator: ",\n")
    lines.append("\"resources\": [\n\(rules)\n  ]")
    let lists = [
      ("initialInstallTags", manifest.initialInstallTags), ("prefetchTagOrder", manifest.prefetchTagOrder),
    ]
    for (key, tags) in lists {
      var seen: Set<String> = []
      let known = tags.map(\.value).filter { manifest.firstPlaces[$0] != nil && seen.insert($0).inserted }
      if !known.isEmpty { lines.append("\"\(key)\": \(list(known))") }
    }
    var buffer = ByteBuffer()
    buffer.append("{\n" + lines.map { "  \($0)" }.joined(separator: ",\n") + "\n}\n")
    return buffer
  }

  private func text(of rule: ResourceRule) -> String {
    let key = if case .glob = rule.pattern { "glob" } else { "path" }
    var text = "{ \"\(key)\": \(json(rule.text.value)), \"tags\": \(list(rule.tags.map(\.value)))"
    if let destination = rule.destination { text += ", \"destination\": \(json(destination.path.text))" }
    return text + " }"
  }

  private func list(_ values: [String]) -> String { "[" + values.map(json).joined(separator: ", ") + "]" }

  private func json(_ text: String) -> String {
    var buffer = ByteBuffer()
    buffer.append(json: text)
    return String(decoding: buffer.array(), as: UTF8.self)
  }
}
