#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// A POSIX extended regular expression of the C library, whose search takes at most the square of a text's length:
/// Swift's backtracks, and nested repeats take it for ever.
package final class RegularExpression: Sendable {
  /// Why a text is none.
  package struct Mistake: Error {
    package let reason: String
  }

  /// The most copies that counted repeats such as `{2,9}` may make of what they repeat.
  private static let maxCopies = 1000
  /// Forms of other kinds of expressions that this one reads as something else.
  private static let foreign = ["\\d", "\\D", "(?", "*?", "+?", "}?"]

  // Written by the initializer only; regexec may be called by several threads.
  nonisolated(unsafe) private var compiled = regex_t()

  package init(_ text: String) throws(Mistake) {
    if let form = Self.foreign.first(where: text.contains) {
      throw Mistake(reason: "it is read as by grep -E, which has no \"\(form)\"")
    }
    let counts = text.split(separator: "{").dropFirst().compactMap { repeated in
      repeated.prefix { $0 != "}" }.split(separator: ",").compactMap { Int($0) }.max()
    }
    if counts.reduce(1, { min($0, Self.maxCopies + 1) * min($1, Self.maxCopies + 1) }) > Self.maxCopies {
      throw Mistake(reason: "its counted repeats make more than 1,000 copies")
    }
    let code = regcomp(&compiled, text, REG_EXTENDED)
    if code == 0 { return }
    var reason = [CChar](repeating: 0, count: 256)
    regerror(code, &compiled, &reason, reason.count)
    throw Mistake(
      reason: String(decoding: reason.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self))
  }

  deinit { regfree(&compiled) }

  /// The offsets of what matches in a line, one behind the other: of the first group, or else of the whole match.
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
