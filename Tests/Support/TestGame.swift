import Foundation

extension TestRule {
  /// The rule as JSON.
  fileprivate var text: String {
    var members: [String] = []
    for (key, value) in [("path", path), ("glob", glob)] {
      if let value { members.append("\"\(key)\": \(json(value))") }
    }
    for (key, values) in [("tags", tags), ("tagTemplates", tagTemplates), ("except", except)] {
      if let values { members.append("\"\(key)\": [\(values.map(json).joined(separator: ", "))]") }
    }
    if let destination { members.append("\"destination\": \(json(destination))") }
    if let otherwise { members.append("\"otherwise\": \(otherwise)") }
    return "{ \(members.joined(separator: ", ")) }"
  }
}

extension TemporaryFolder {
  /// Writes the manifest of a game.
  ///
  /// The rules come first, one per line. Other members, as JSON, come after the rules.
  package func writeManifest(
    _ rules: [TestRule], to path: String = "Manifest.json", app: String = "com.example.game",
    root: String? = nil, members: String...
  ) throws {
    try writeManifest(
      rules: rules.map(\.text).joined(separator: ",\n    "), to: path, app: app, root: root, members: members)
  }

  /// Writes the manifest of a game whose rules are JSON.
  ///
  /// Use this function for rules that `TestRule` cannot express, for example invalid rules.
  package func writeManifest(
    rules: String, to path: String = "Manifest.json", app: String = "com.example.game", root: String? = nil,
    members: String...
  ) throws {
    try writeManifest(rules: rules, to: path, app: app, root: root, members: members)
  }

  private func writeManifest(rules: String, to path: String, app: String, root: String?, members: [String])
    throws
  {
    var lines = ["\"bundleIdentifier\": \(json(app))"]
    if let root { lines.append("\"root\": \(json(root))") }
    lines.append("\"resources\": [\n    \(rules)\n  ]")
    lines += members
    try write(path, "{\n  \(lines.joined(separator: ",\n  "))\n}\n")
  }
}

/// Returns a string as JSON.
private func json(_ text: String) -> String {
  let encoder = JSONEncoder()
  encoder.outputFormatting = .withoutEscapingSlashes
  return (try? encoder.encode(text)).map { String(decoding: $0, as: UTF8.self) } ?? ""
}
