import Formats

extension Shape {
  /// The pattern of right values in their usual form; nil if the shape has none.
  ///
  /// A manifest has up to a million rules: what matches is checked in a tenth of the time.
  var pattern: JSONPattern? {
    switch self {
    case .variants(let variants): .variants(variants.shapes().map(\.pattern))
    default: innerPattern
    }
  }

  /// The pattern without variants, which may contain one another.
  fileprivate var innerPattern: JSONPattern? {
    switch self {
    case .text(let form): form.quickPattern
    case .choice(let words): .tested { words.contains($0) }
    case .name(let list): .tested { list.names.contains($0) }
    case .list(let element, let minimum, let maximum):
      element.innerPattern.map { .list(of: $0, counts: minimum...max(minimum, maximum)) }
    case .object(let object): .object(object.pattern)
    default: nil
    }
  }
}

extension ObjectShape {
  var pattern: JSONObjectPattern {
    JSONObjectPattern(keys.map { ($0.name, $0.shape.innerPattern, $0.isRequired) }, oneOf: oneOf)
  }
}

extension TextForm {
  private static let tagRule = JSONTextRule(without: "/", notFirst: " ", longest: longestTag)
  /// No component that is empty, or begins with a dot.
  private static let pathRule = JSONTextRule(without: "", notFirst: "/.", longest: 1024)
  /// Braces count together, and brackets may be left open.
  private static let globRule = JSONTextRule(without: "[]{}", notFirst: "/.", longest: 1024)

  fileprivate var quickPattern: JSONPattern {
    switch self {
    case .tag: .text(Self.tagRule)
    case .path: .text(Self.pathRule)
    case .glob: .text(Self.globRule)
    default: .tested { mistake(in: $0) == nil }
    }
  }
}
