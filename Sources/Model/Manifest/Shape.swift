import Formats

/// The values that a manifest's key accepts.
///
/// The reader checks values with it, and the JSON Schema is generated from it.
package indirect enum Shape: Sendable {
  case text(StringFormat)
  case choice([String])
  /// One of many names.
  ///
  /// A command lists the names, because a message could not list all of them.
  ///
  /// If the key does not accept one of the names, `refusal` returns the message about it.
  case name([String], listedBy: String, refusal: @Sendable (String) -> String?)
  case list(of: Shape, atLeast: Int, atMost: Int = .max)
  case object(ObjectShape)
  /// An object with some of these keys; `listedBy` is the command that lists them.
  case map(keys: [String], listedBy: String, of: Shape)
  /// An object whose keys the user chooses.
  case table(of: Shape)
  /// An integer in a range.
  ///
  /// The range has no upper bound if it ends at `Int.max`.
  case number(in: ClosedRange<Int>)
  /// A size: an integer in bytes, or a string with a unit.
  case size
  /// A string such as `5 %`.
  case percentage
  /// A number from 0 to 1.
  case fraction
  case boolean
  /// The value `true`.
  case onlyTrue
  /// An object of one of several kinds, which its first key identifies; if two kinds are possible, the first
  /// is used.
  ///
  /// `name` is the word for such an object in messages. The kinds can contain one another.
  case variants(name: String, of: @Sendable () -> [ObjectShape])
  case null
  /// A value of any type, which is not checked.
  case anything
  /// A value of one of two types.
  case either(Shape, or: Shape)

  /// A non-negative integer.
  package static let wholeNumber = Shape.number(in: 0...Int.max)
  /// An integer of at least 1.
  package static let positiveNumber = Shape.number(in: 1...Int.max)

  /// The description of the type in messages, such as "an array of tags".
  var typeName: String {
    switch self {
    case .text(let format): format.example.map { "a string such as \(quoted($0))" } ?? "a string"
    case .choice, .name: "a string"
    case .list(let element, _, _): "an array of \(element.pluralName)"
    case .object, .map, .table, .variants: "an object"
    case .number(let range):
      "a whole number" + (range.upperBound < .max ? " from \(range.lowerBound) to \(range.upperBound)" : "")
    case .fraction: "a number from 0 to 1"
    case .boolean: "true or false"
    case .onlyTrue: "true"
    case .size: "a number of bytes or a string such as \"64 MB\""
    case .percentage: "a string such as \"5 %\""
    case .null: "null"
    case .anything: "a value"
    case .either(.size, let second): "\(Shape.size.typeName), or \(second.typeName)"
    case .either(let first, let second): "\(first.typeName) or \(second.typeName)"
    }
  }

  private var pluralName: String {
    switch self {
    case .text: "strings"
    case .list: "arrays"
    default: "objects"
    }
  }

  /// Whether this shape accepts the type of a value.
  func permits(_ value: JSONValue) -> Bool {
    switch (self, value.content) {
    case (.text, .string), (.choice, .string), (.name, .string), (.size, .string), (.percentage, .string),
      (.size, .number), (.number, .number), (.fraction, .number), (.onlyTrue, .bool), (.boolean, .bool),
      (.list, .array), (.object, .object), (.map, .object), (.table, .object), (.variants, .object),
      (.null, .null), (.anything, _):
      true
    case (.either(let first, let second), _): first.permits(value) || second.permits(value)
    default: false
    }
  }
}

/// The keys that an object can have, for the reader and for the schema.
package struct ObjectShape: Sendable {
  let keys: [KeyShape]
  /// Alternative keys: an object must have exactly one of them.
  var oneOf: [String] = []
  /// An object of this shape for messages; nil if messages need no example.
  private(set) var example: String?
  /// Names that users write instead of the first key.
  private(set) var otherNames: [String] = []

  package init(keys: [KeyShape], oneOf: [String] = []) {
    self.keys = keys
    self.oneOf = oneOf
  }

  /// Returns this shape with an example, and with names that users write instead of the first key.
  package func named(by otherNames: [String], example: String?) -> ObjectShape {
    var copy = self
    (copy.otherNames, copy.example) = (otherNames, example)
    return copy
  }

  /// Whether a user who wrote this member probably intended the first key.
  func isMeant(by member: JSONMember) -> Bool {
    guard otherNames.contains(member.key) else { return false }
    guard case .text(let format)? = keys.first?.shape, let string = member.value.string else { return true }
    return format.mistake(in: string) == nil
  }
}

/// One key of an object.
package struct KeyShape: Sendable {
  package let name: String
  /// The meaning of the key, for the schema: a sentence without its full stop.
  let summary: String
  /// The key with a value, such as `"as": "level 1"`, for messages; nil if messages need no example.
  package var example: String?
  let shape: Shape
  var isRequired = false
  /// If the object has the key with this name, this key is not required.
  var unless: String?
  /// The value that is used if the key is missing.
  var defaultValue: JSONText?
}

extension KeyShape {
  /// Creates a key of a file for which no schema is generated.
  package init(_ name: String, shape: Shape, isRequired: Bool = false) {
    self.name = name
    summary = ""
    self.shape = shape
    self.isRequired = isRequired
  }
}

extension Shape {
  /// A pattern for valid values in their usual form; nil if the shape has no such pattern.
  ///
  /// Comparing a value with a pattern is ten times as fast as a full check.
  var pattern: JSONPattern? {
    switch self {
    case .variants(_, let shapes): .variants(shapes().map(\.pattern))
    default: innerPattern
    }
  }

  /// The pattern without variants, because variants can contain one another.
  fileprivate var innerPattern: JSONPattern? {
    switch self {
    case .text(let format): format.quickPattern
    case .choice(let words): .tested { words.contains($0) }
    case .name(let names, _, _): .tested { names.contains($0) }
    case .list(let element, let minimum, let maximum):
      element.innerPattern.map { .list(of: $0, counts: minimum...max(minimum, maximum)) }
    case .object(let object): .object(object.pattern)
    default: nil
    }
  }
}

extension ObjectShape {
  var pattern: JSONObjectPattern {
    let keys = keys.map {
      JSONObjectPattern.Key($0.name, pattern: $0.shape.innerPattern, isRequired: $0.isRequired)
    }
    return JSONObjectPattern(keys, oneOf: oneOf)
  }
}

extension StringFormat {
  private static let tagRule = JSONTextRule(forbidding: "/", forbiddingFirst: " ", maxBytes: maxTagSize)
  /// The rule does not allow components that are empty or begin with a dot.
  ///
  /// It also does not allow paths that are longer than a single name can be.
  private static let pathRule = JSONTextRule(forbidding: "", forbiddingFirst: "/.", maxBytes: maxNameSize)
  /// The rule allows no braces, because packtool counts all patterns that the braces of a manifest expand to.
  ///
  /// The rule allows no brackets, because a bracket might not be closed.
  private static let globRule = JSONTextRule(
    forbidding: "[]{}", forbiddingFirst: "/.", doubledOnlyAsComponent: "*", maxBytes: 1024)

  fileprivate var quickPattern: JSONPattern {
    switch self {
    case .tag: .text(Self.tagRule)
    case .path: .text(Self.pathRule)
    case .glob: .text(Self.globRule)
    default: .tested { mistake(in: $0) == nil }
    }
  }
}
