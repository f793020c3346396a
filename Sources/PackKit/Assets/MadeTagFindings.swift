import Findings
import Formats
import Spelling

/// What only a scan shows of tags: those of the lists that no template makes, and made ones that "tags" does not list.
struct MadeTagFindings {
  private let manifest: Manifest
  private let made: [String: MadeTag]

  init(_ manifest: Manifest, _ tree: AssetTree) {
    self.manifest = manifest
    made = tree.madeTags
  }

  var findings: [Diagnostic] { manifest.hasTemplates ? neverMade + unlisted : [] }

  private var neverMade: [Diagnostic] {
    let known = Array(manifest.firstPlaces.keys) + made.keys
    var guesses = Guesses()
    return manifest.tagsToBeMade.filter { made[$0.value] == nil }.map { tag in
      let guess = guesses.nearest(to: tag.value, in: known)
      return Diagnostic(
        .unknownTag, "no rule gives the tag \(quoted(tag.value))\(suggestion(guess?.name))",
        at: manifest.text.place(at: tag.offset), fix: manifest.fix(of: tag, guess))
    }
  }

  private var unlisted: [Diagnostic] {
    guard let tags = manifest.tags else { return [] }
    let known = Set(tags.map(\.value))
    let strangers = made.filter { !known.contains($0.key) }.sorted { $0.key.precedesInBytes($1.key) }
    var guesses = Guesses()
    return strangers.map { stranger in
      let guess = guesses.nearest(to: stranger.key, in: known)
      return Diagnostic(
        .unknownTag,
        "\"tags\" does not list the tag \(quoted(stranger.key)), which this template makes\(suggestion(guess?.name))",
        at: manifest.text.place(at: stranger.value.offset))
    }
  }
}
