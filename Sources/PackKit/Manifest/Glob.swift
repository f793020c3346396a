/// A pattern for paths: `*`, `?`, `[…]` within a component, `**` for any number of folders, `{a,b}` for either.
package struct Glob: Sendable, Hashable {
  /// One component of a pattern.
  enum Component: Sendable, Hashable {
    /// Exactly this name.
    case name([UInt8])
    /// A name of this form.
    case form(NamePattern)
    /// Any number of folders, also none.
    case anyDepth
  }

  /// The pattern as it was written.
  package let text: String
  /// The patterns that its braces stand for; a path that matches one matches the glob.
  let branches: [[Component]]
  /// How many of the first components have no wildcard: what a destination takes the place of.
  let fixedDepth: Int

  /// Patterns that the braces of one glob may stand for.
  static let mostBranches = 1024

  /// Why a text is no glob.
  enum Mistake: Error {
    case path(RelativePath.Mistake)
    case unclosed(Character)
    case tooManyBranches
  }

  package static func == (first: Glob, second: Glob) -> Bool { first.branches == second.branches }

  package func hash(into hasher: inout Hasher) { hasher.combine(branches) }

  init(_ text: String) throws(Mistake) {
    self.text = text
    var branches: [[Component]] = []
    for branch in try expandBraces(of: text) {
      let path: RelativePath
      do throws(RelativePath.Mistake) {
        path = try RelativePath(branch)
      } catch {
        throw .path(error)
      }
      var components: [Component] = []
      for component in path.components { components.append(try Component(component)) }
      branches.append(components)
    }
    self.branches = branches
    let fixed = text.split(separator: "/").filter { $0 != "." }
    let plain = fixed.prefix { !$0.contains { "*?[{".contains($0) } }.count
    fixedDepth = max(0, min(plain, fixed.count - 1))
  }
}

extension Glob.Component {
  fileprivate init(_ text: String) throws(Glob.Mistake) {
    if text == "**" {
      self = .anyDepth
    } else if text.contains(where: { "*?[".contains($0) }) {
      self = .form(try NamePattern(text))
    } else {
      self = .name(Array(text.utf8))
    }
  }

  /// Whether a name is of this form.
  func matches(_ name: ArraySlice<UInt8>) -> Bool {
    switch self {
    case .name(let bytes): name.elementsEqual(bytes)
    case .form(let pattern): pattern.matches(name)
    case .anyDepth: true
    }
  }
}

extension Glob.Mistake {
  var check: Check {
    if case .path(let mistake) = self { return mistake.check }
    return .invalidPath
  }

  func message(for text: String) -> String {
    switch self {
    case .path(let mistake): mistake.message(for: text, within: "the root folder")
    case .unclosed(let bracket): "\(quoted(text)) has a \"\(bracket)\" that is never closed"
    case .tooManyBranches:
      "\(quoted(text)) stands for more than \(grouped(Glob.mostBranches)) patterns; use fewer braces"
    }
  }
}

/// All texts that the braces of a pattern stand for, in the order in which they are written.
private func expandBraces(of text: String) throws(Glob.Mistake) -> [String] {
  var done: [String] = []
  var waiting = [text]
  while let next = waiting.popLast() {
    guard let group = try firstGroup(in: next) else {
      done.append(next)
      continue
    }
    let head = next[..<group.open]
    let tail = next[next.index(after: group.close)...]
    waiting += group.parts.reversed().map { String(head + $0 + tail) }
    if done.count + waiting.count > Glob.mostBranches { throw .tooManyBranches }
  }
  return done
}

/// The first brace of a pattern with its alternatives; those within brackets are plain characters.
private func firstGroup(
  in text: String
) throws(Glob.Mistake) -> (open: String.Index, close: String.Index, parts: [Substring])? {
  var open: String.Index?
  var depth = 0
  var isInClass = false
  var parts: [Substring] = []
  var partStart = text.startIndex
  for (index, character) in zip(text.indices, text) {
    switch character {
    case "[" where !isInClass: isInClass = true
    case "]" where isInClass: isInClass = false
    case _ where isInClass: break
    case "{":
      depth += 1
      if depth > 1 { break }
      open = index
      partStart = text.index(after: index)
    case "," where depth == 1:
      parts.append(text[partStart..<index])
      partStart = text.index(after: index)
    case "}" where depth > 0:
      depth -= 1
      if depth == 0, let open { return (open, index, parts + [text[partStart..<index]]) }
    default: break
    }
  }
  if open != nil { throw .unclosed("{") }
  return nil
}
