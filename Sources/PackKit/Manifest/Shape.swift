import Formats

/// The permitted values of a manifest's key; the reader checks values against it, and the schema is generated from
/// it.
indirect enum Shape: Sendable {
  case text(TextForm)
  /// One of these strings.
  case choice([String])
  case list(of: Shape, atLeast: Int, atMost: Int = .max)
  case object(ObjectShape)
  /// An object with some of these keys; `listedBy` is the command that lists them.
  case map(keys: [String], listedBy: String, of: Shape)
  /// An object whose keys are chosen by the user.
  case table(of: Shape)
  /// A non-negative integer.
  case wholeNumber
  /// A size: an integer in bytes, or a text with a unit.
  case size
  /// A text such as `5 %`.
  case percentage
  case null
  /// A value of one of two types.
  case either(Shape, or: Shape)

  /// The type for messages, as in "expected an array of tags".
  var typeName: String {
    switch self {
    case .text, .choice: "a string"
    case .list(let element, _, _): "an array of \(element.pluralName)"
    case .object, .map, .table: "an object"
    case .wholeNumber: "a whole number"
    case .size: "a number of bytes or a text such as \"64 MB\""
    case .percentage: "a text such as \"5 %\""
    case .null: "null"
    case .either(let first, let second): "\(first.typeName) or \(second.typeName)"
    }
  }

  private var pluralName: String {
    switch self {
    case .text: "strings"
    default: "objects"
    }
  }
}

/// The keys of an object, for the reader and the schema.
struct ObjectShape: Sendable {
  let keys: [KeyShape]
  /// Keys of which exactly one is required.
  var oneOf: [String] = []
}

/// One key of an object.
struct KeyShape: Sendable {
  let name: String
  /// The description of the key for the schema, without a full stop.
  let summary: String
  let shape: Shape
  var isRequired = false
  /// The value of a missing key.
  var defaultValue: JSONText?
}
