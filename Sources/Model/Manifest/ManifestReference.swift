import Formats
import System

/// A key of a manifest, for the reference of all keys.
package struct ManifestKeyEntry: Sendable {
  /// The path of the key: `resources[].path` is the key `path` of each object in the list `resources`.
  package let path: String
  /// The meaning: a sentence without its full stop.
  package let summary: String
  /// The type of the value, such as `an array of strings`.
  package let type: String
  /// The condition under which the key is required, such as `required`; nil if the key is optional.
  package let need: String?
  /// The value that packtool uses if the key is missing, as JSON; nil if there is none.
  package let defaultValue: String?
}

extension Manifest {
  /// All keys of a manifest, generated from the keys that the reader uses, as is the schema.
  package static var keyEntries: [ManifestKeyEntry] {
    guard case .object(let object) = shape else { return [] }
    return object.entries(below: "")
  }
}

extension ObjectShape {
  fileprivate func entries(below path: String) -> [ManifestKeyEntry] {
    keys.flatMap { key -> [ManifestKeyEntry] in
      let keyPath = path + key.name
      let entry = ManifestKeyEntry(
        path: keyPath, summary: key.summary, type: key.shape.typeText, need: need(of: key),
        defaultValue: key.defaultValue.map { String(decoding: $0.line.array(), as: UTF8.self) })
      return [entry] + key.shape.entries(of: keyPath)
    }
  }

  private func need(of key: KeyShape) -> String? {
    if oneOf.contains(key.name) {
      let others = oneOf.filter { $0 != key.name }.map { "`\($0)`" }.joined(separator: " or ")
      return "required, unless the object has \(others)"
    }
    guard key.isRequired else { return nil }
    return key.unless.map { "required, unless the object has `\($0)`" } ?? "required"
  }
}

extension Shape {
  /// The keys of the objects in a value at a path.
  fileprivate func entries(of path: String) -> [ManifestKeyEntry] {
    switch self {
    case .object(let object): object.entries(below: path + ".")
    case .list(let element, _, _): element.entries(of: path + "[]")
    case .either(let first, let second): first.entries(of: path) + second.entries(of: path)
    default: []
    }
  }

  /// The type of a value, with all words that it can be.
  fileprivate var typeText: String {
    switch self {
    case .choice(let words): listedWithOr(words.map { "`\"\($0)\"`" })
    case .name(_, let command, _): "one of the names that `\(command)` prints"
    case .list(.object, _, _): "an array of objects"
    case .list(.list(let element, _, _), _, _): "an array of arrays of \(element.pluralTypeText)"
    case .map(_, let command, let element):
      "an object. Its keys are names that `\(command)` prints, and its values are \(element.typeText)"
    case .table(let element): "an object with any keys. Each value is \(element.typeText)"
    case .either(let first, let second): "\(first.typeText), or \(second.typeText)"
    default: typeName
    }
  }

  private var pluralTypeText: String { if case .text = self { "strings" } else { "objects" } }
}
