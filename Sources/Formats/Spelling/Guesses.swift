/// Suggests corrections for unknown names in one input file.
///
/// Each guess compares a name with all known names, so only the first 100 unknown names get a guess.
package struct Guesses: Sendable {
  /// The maximum number of guesses for one input file.
  package static let maxGuesses = 100
  private var left = maxGuesses

  package init() {}

  /// Returns the candidate that the author of a name most likely meant; nil if no candidate is similar.
  ///
  /// For all names after the first 100, the result is nil.
  package mutating func nearest(to name: String, in candidates: some Sequence<String>) -> NearestName? {
    if left == 0 { return nil }
    left -= 1
    return NearestName(to: name, in: candidates)
  }
}

/// Returns the only name of which another name is an abbreviation; nil if no name or several names begin with
/// it.
///
/// For `dest`, this is `destination`.
package func onlyName(abbreviatedAs name: String, in names: [String]) -> String? {
  if name.utf8.count < 4 { return nil }
  let longer = names.filter { $0.hasPrefix(name) }
  return longer.count == 1 ? longer.first : nil
}

/// The keys of other tools, with the keys of packtool that have the same purpose.
private let commonNames = [
  "rules": "resources", "assets": "resources", "packs": "resources", "files": "path", "file": "path",
  "folder": "path", "dir": "path", "directory": "path", "pattern": "glob", "patterns": "glob",
  "match": "glob", "include": "glob", "template": "tagTemplates", "ignore": "exclude",
  "id": "bundleIdentifier", "identifier": "bundleIdentifier", "appID": "bundleIdentifier",
  "format": "container", "archive": "container", "target": "destination", "to": "destination",
]

/// Returns the name among `names` that has the purpose of a key of other tools; nil if there is no such name.
///
/// For `rules`, this is `resources`.
package func commonName(for key: String, in names: [String]) -> String? {
  commonNames[key].flatMap { names.contains($0) ? $0 : nil }
}

/// Returns the only name that begins with the first word of another name; nil if no name or several names
/// begin with this word.
///
/// For example, the result for `bundleID` is `bundleIdentifier`.
package func onlyName(beginningAs name: String, in names: [String]) -> String? {
  let word = name.prefix { $0.isLowercase }
  if word.count < 4 { return nil }
  let same = names.filter { other in
    other.hasPrefix(word) && !(other.dropFirst(word.count).first?.isLowercase ?? false)
  }
  return same.count == 1 ? same.first : nil
}
