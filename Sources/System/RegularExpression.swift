#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// A POSIX extended regular expression, implemented by the C library.
///
/// The time of a search grows at most with the square of the text's length. Swift's own expressions
/// backtrack. With nested repetitions, they can take practically forever.
package final class RegularExpression: Sendable {
  /// The reason why a string is not a valid expression.
  package struct Mistake: Error {
    package let reason: String
  }

  /// The maximum number of copies of a part that counted repetitions, such as `{2,9}`, can make.
  private static let maxCopies = 1000
  /// Constructs of other regular expression syntaxes.
  ///
  /// They are refused because they would have a different meaning in this syntax.
  private static let foreign = ["\\d", "\\D", "(?", "*?", "+?", "}?"]

  // The access is safe because only the initializer writes this value, and several threads can call regexec
  // with it at the same time.
  nonisolated(unsafe) private var compiled = regex_t()

  package init(_ text: String) throws(Mistake) {
    if let form = Self.foreign.first(where: text.contains) {
      throw Mistake(reason: "packtool uses the syntax of grep -E, which does not have \"\(form)\"")
    }
    let counts = text.split(separator: "{").dropFirst().compactMap { repeated in
      repeated.prefix { $0 != "}" }.split(separator: ",").compactMap { Int($0) }.max()
    }
    if counts.reduce(1, { min($0, Self.maxCopies + 1) * min($1, Self.maxCopies + 1) }) > Self.maxCopies {
      throw Mistake(reason: "its counted repeats multiply to more than 1,000 copies")
    }
    let code = regcomp(&compiled, text, REG_EXTENDED)
    if code == 0 { return }
    var reason = [CChar](repeating: 0, count: 256)
    regerror(code, &compiled, &reason, reason.count)
    throw Mistake(
      reason: String(decoding: reason.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self))
  }

  deinit { regfree(&compiled) }

  /// Returns the offsets of all matches in a line, in order.
  ///
  /// If the expression has a group, these are the offsets of the first group. Otherwise, they are the offsets
  /// of the whole match.
  package func matches(in line: String) -> [Range<Int>] {
    let end = regoff_t(line.utf8.count)
    var ranges: [Range<Int>] = []
    var groups = [regmatch_t(rm_so: 0, rm_eo: end), regmatch_t()]
    while regexec(&compiled, line, groups.count, &groups, REG_STARTEND) == 0 {
      let taken = groups[compiled.re_nsub == 0 ? 0 : 1]
      if taken.rm_so >= 0 { ranges.append(Int(taken.rm_so)..<Int(taken.rm_eo)) }
      let next = max(groups[0].rm_eo, groups[0].rm_so + 1)
      if next > end { break }
      groups[0] = regmatch_t(rm_so: next, rm_eo: end)
    }
    return ranges
  }
}
