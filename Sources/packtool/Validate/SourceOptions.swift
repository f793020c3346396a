import Findings
import Flags
import Formats
import Projects

/// Where an app's code is, in which tags are searched.
struct SourceOptions: Sendable {
  private var folders: [String] = []
  private var pattern: String?

  /// The flags, for a command whose options hold these as a part.
  static func flags<Options>(in part: Flag<Options>.Target<SourceOptions>) -> [Flag<Options>] {
    own.map { $0.lifted(into: part).grouped(under: "the app's code") }
  }

  private static let own: [Flag<SourceOptions>] = [
    .list(
      "--sources", valueName: "DIR", kind: .folder,
      summary:
        "search the app's code for tags that no file has, and for tags that no code asks for; may be repeated",
      into: \.folders),
    .parsed(
      "--sources-pattern", valueName: "REGEX",
      summary:
        "what a request looks like, in place of NSBundleResourceRequest: its first group, or all of it, is the tag",
      parse: pattern, into: \.pattern),
  ]

  private static func pattern(_ text: String) throws(FlagMistake) -> String? {
    if CodeSearch.isPattern(text) { return text }
    throw FlagMistake("needs a regular expression such as 'load\\(\"([^\"]*)\"', not \(quoted(text))")
  }

  /// The message on a flag that needs another.
  var mistake: String? {
    pattern != nil && folders.isEmpty
      ? "flag \"--sources-pattern\" needs a folder with code: --sources DIR" : nil
  }

  /// Findings about the code, where there is a plan; texts are added for quotes.
  func findings(on prepared: Preparation, _ text: inout SourceText?) throws -> [Diagnostic] {
    guard !folders.isEmpty, let plan = prepared.plan else { return [] }
    let search = try CodeSearch(for: plan, in: folders, pattern: pattern)
    for file in search.texts { text?.append(file) }
    return search.diagnostics
  }
}
