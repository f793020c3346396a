import Formats
import Model
import Pipeline
import Play

extension Command {
  static let schema = Command(
    CommandSyntax<NoOptions>(
      name: "schema", summary: "print the JSON Schema of manifests, of scenarios, or of a command's result",
      arguments: [
        Argument(
          "FORMAT",
          summary:
            "manifest (the default), scenario, or a command such as diff, for the schema of its JSON result",
          kind: .named(.schema), count: 0...1)
      ]), defaults: NoOptions.init
  ) { _, arguments, session in
    let name = arguments.first ?? "manifest"
    guard let text = text(of: name) else {
      let guess = didYouMean(nearest(to: name, in: schemaNames))
      let hint = guess.isEmpty ? "; there are schemas for \(schemaNames.joined(separator: ", "))" : guess
      return session.refuse("there is no schema for \(quoted(name))\(hint)")
    }
    try session.print(Output(json: text))
    return .done
  }

  /// The names that `schema` accepts.
  static var schemaNames: [String] { ["manifest", "scenario"] + ResultFields.page.names }

  private static func text(of name: String) -> String? {
    switch name {
    case "manifest": Manifest.schemaText
    case "scenario": Scenario.schemaText
    default: ResultFields.page.schema(of: name)?.text
    }
  }
}

/// The fields of JSON results, as described on the page about formats.
///
/// packtool makes the schemas from these fields.
struct ResultFields {
  private struct Row {
    /// The parts of a name.
    ///
    /// For `packs[].id`, they are `packs`, `[]` and `id`. The part `*` stands for any name.
    var path: [String]
    let isOptional: Bool
    let value: String
    let meaning: String
  }

  static let page = ResultFields(searchedPages["Results.md"] ?? "")

  private(set) var names: [String] = []
  /// The tables of each result.
  ///
  /// If a result has several tables, a value has the fields of one of these tables.
  private var results: [String: [[Row]]] = [:]
  /// The tables of parts that several results share.
  private var parts: [String: [[Row]]] = [:]

  private init(_ page: String) {
    for section in page.split(separator: "\n##").dropFirst() {
      let lines = section.split(separator: "\n")
      let words = (lines.first ?? "").split(separator: "`", omittingEmptySubsequences: false)
      let heads = words.indices.filter { $0 % 2 == 1 }.map { String(words[$0].prefix { $0 != " " }) }
      let rows = lines.dropFirst().compactMap { Self.row(Substring($0)) }
      if rows.isEmpty { continue }
      for name in heads where section.hasPrefix("# ") { parts[name, default: []].append(rows) }
      for name in heads where section.hasPrefix(" ") {
        if results[name] == nil { names.append(name) }
        results[name, default: []].append(rows)
      }
    }
  }

  private static func row(_ line: Substring) -> Row? {
    let cells = line.split(separator: " | ", maxSplits: 2, omittingEmptySubsequences: false)
    guard cells.count == 3, cells[0].hasPrefix("| `") else { return nil }
    let field = cells[0].dropFirst(3).dropLast()
    let name = field.hasSuffix("?") ? field.dropLast() : field
    let parts = name.replacing("[]", with: ".[]").split(separator: ".").map(String.init)
    return Row(
      path: name.hasPrefix("...") ? [String(name)] : parts, isOptional: field.hasSuffix("?"),
      value: String(cells[1].filter { $0 != "`" }), meaning: String(cells[2].dropLast(2)))
  }

  func schema(of name: String) -> JSONText? {
    guard let tables = results[name], case .object(var members) = anyOf(tables.map(object)) else {
      return nil
    }
    members["$schema"] = .string("https://json-schema.org/draft/2020-12/schema")
    members["title"] = .string("\(Tool.name) \(name)")
    return .object(members)
  }

  private func anyOf(_ schemas: [JSONText]) -> JSONText {
    schemas.count == 1 ? schemas[0] : .fields(["anyOf": schemas])
  }

  private func whole(_ rows: [Row]) -> [Row] {
    rows.flatMap { row in
      row.path[0].hasPrefix("...") ? whole(parts[String(row.path[0].dropFirst(3))]?.first ?? []) : [row]
    }
  }

  private func object(_ rows: [Row]) -> JSONText {
    let groups = Dictionary(grouping: whole(rows)) { $0.path[0] }
    let needed = groups.filter { $0.value.allSatisfy { $0.path.count > 1 || !$0.isOptional } }.keys.sorted()
    return .fields([
      "type": "object", "properties": groups.mapValues(value), "required": needed,
    ])
  }

  /// Makes the schema of a field from the field's own row, if it has a row, and from the rows of its parts.
  private func value(_ rows: [Row]) -> JSONText {
    let own = rows.first { $0.path.count == 1 }
    let inner = rows.filter { $0.path.count > 1 }.map { row in
      var row = row
      row.path.removeFirst()
      return row
    }
    let schema =
      switch inner.first?.path[0] {
      case nil: type(own?.value ?? "")
      case "[]": JSONText.fields(["type": "array", "items": value(inner)])
      case "*": JSONText.fields(["type": "object", "additionalProperties": value(inner)])
      default: object(inner)
      }
    guard let meaning = own?.meaning, !meaning.isEmpty, case .object(var members) = schema else {
      return schema
    }
    members["description"] = .string(meaning)
    return .object(members)
  }

  /// Makes the schema of a value from the words on the page, such as `array of string`, `link or null`, or
  /// `"added" or "removed"`.
  private func type(_ words: String) -> JSONText {
    let choices = words.split(separator: " or ").map(String.init)
    if choices.count > 1 || words.hasPrefix("\"") {
      if choices.allSatisfy({ $0.hasPrefix("\"") }) {
        return .fields(["enum": choices.map { String($0.dropFirst().dropLast()) }])
      }
      return anyOf(choices.map(type))
    }
    for (kind, key) in [("array", "items"), ("object", "additionalProperties")]
    where words.hasPrefix("\(kind) of ") {
      return .fields(["type": kind, key: type(String(words.dropFirst(kind.utf8.count + 4)))])
    }
    if let tables = parts[words] { return anyOf(tables.map(object)) }
    return words == "any" ? .object([:]) : .fields(["type": words])
  }
}
