package import Formats

extension Manifest {
  /// The contents of Manifest.schema.json, generated from the keys that the reader uses.
  package static var schemaText: String {
    shape.schemaFile(title: "packtool manifest", description: summary + ".")
  }

  /// The contents of a manifest, as a sentence without its full stop.
  package static let summary = "The tags of files, and how packtool makes packs of them"
}

extension Shape {
  /// Returns the text of a JSON Schema for files of this shape.
  ///
  /// The text has additional members.
  package func schemaFile(title: String, description: String, extraMembers: [(String, JSONText)] = [])
    -> String
  {
    guard case .ordered(let members) = schema else { return "" }
    let head: [(String, JSONText)] = [
      ("$schema", .string("https://json-schema.org/draft/2020-12/schema")), ("title", .string(title)),
      ("description", .string(description)),
    ]
    return JSONText.ordered(head + members + extraMembers).text
  }

  package var schema: JSONText {
    switch self {
    case .text(let format):
      .ordered([("type", .string("string"))] + (format.pattern.map { [("pattern", .string($0))] } ?? []))
    case .choice(let words): .ordered([("enum", .strings(words))])
    case .name(let names, _, _): .ordered([("enum", .strings(names))])
    case .list(let element, let minimum, let maximum):
      .ordered(
        [("type", .string("array")), ("items", element.schema)]
          + (minimum > 0 ? [("minItems", .integer(minimum))] : [])
          + (maximum < .max ? [("maxItems", .integer(maximum))] : []))
    case .object(let object): object.schema
    case .map(let keys, _, let element):
      schemaOfObject(
        properties: keys.map { ($0, element.schema) })
    case .table(let element): schemaOfObject(properties: [], additionalProperties: element.schema)
    case .percentage:
      .ordered([("type", .string("string")), ("pattern", .string(Percentage.pattern))])
    case .fraction:
      .ordered([("type", .string("number")), ("minimum", .integer(0)), ("maximum", .integer(1))])
    case .number(let range):
      .ordered(
        [("type", .string("integer")), ("minimum", .integer(range.lowerBound))]
          + (range.upperBound < .max ? [("maximum", .integer(range.upperBound))] : []))
    case .boolean: .ordered([("type", .string("boolean"))])
    case .onlyTrue: .ordered([("const", .bool(true))])
    case .variants(let name, _): .ordered([("$ref", .string("#/$defs/\(name)"))])
    case .size:
      .ordered([
        (
          "anyOf",
          .array([
            Shape.wholeNumber.schema,
            .ordered([("type", .string("string")), ("pattern", .string(ByteSize.pattern))]),
          ])
        )
      ])
    case .anything: .bool(true)
    case .null: .ordered([("type", .string("null"))])
    case .either(let first, let second): .ordered([("anyOf", .array([first.schema, second.schema]))])
    }
  }
}

extension ObjectShape {
  package var schema: JSONText {
    let required = keys.filter { $0.isRequired && $0.unless == nil }.map(\.name)
    var members: [(String, JSONText)] = []
    if !required.isEmpty { members.append(("required", .strings(required))) }
    if !oneOf.isEmpty {
      members.append(("oneOf", .array(oneOf.map { .ordered([("required", .strings([$0]))]) })))
    }
    for key in keys {
      guard let other = key.unless else { continue }
      members.append(("anyOf", .array([key.name, other].map { .ordered([("required", .strings([$0]))]) })))
    }
    return schemaOfObject(properties: keys.map { ($0.name, $0.schema) }, extraMembers: members)
  }
}

extension KeyShape {
  fileprivate var schema: JSONText {
    guard case .ordered(let members) = shape.schema else { return shape.schema }
    let description: [(String, JSONText)] = [("description", .string(summary + "."))]
    return .ordered(description + members + (defaultValue.map { [("default", $0)] } ?? []))
  }
}

/// Returns the schema of an object that can have these keys and comments.
///
/// Other keys are invalid unless `additionalProperties` is a schema for them.
private func schemaOfObject(
  properties: [(String, JSONText)], additionalProperties: JSONText = .bool(false),
  extraMembers: [(String, JSONText)] = []
) -> JSONText {
  .ordered(
    [
      ("type", .string("object")), ("properties", .ordered(properties + [("$comment", .bool(true))])),
      ("additionalProperties", additionalProperties),
    ] + extraMembers)
}
