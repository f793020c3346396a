package import Formats
package import System

extension Manifest {
  /// Returns the manifest as readable JSON, in the style of `fmt` and without default values.
  ///
  /// `root` is the root relative to the folder in which the text will be stored. `schema` is the path of the
  /// JSON Schema for editors.
  package func formatted(root: String, schema: String? = nil) -> ByteBuffer {
    let (initial, order) = (known(initialInstallTags), prefetchOrder)
    let languages = languages.mapValues { JSONText.string($0.value) }
    let severities = Dictionary(
      uniqueKeysWithValues: checksReporting(initialInstallTags: initial, prefetchTagOrder: order).map {
        ($0.id, "ignore")
      })
    let members: [(String, JSONText?)] = [
      ("$schema", schema.map(JSONText.string)), ("bundleIdentifier", .string(bundleIdentifier)),
      ("root", root == "." ? nil : .string(root)), ("resources", .array(rules.map(\.json))),
      ("exclude", excludes.isEmpty ? nil : .strings(excludes.map(\.text))),
      ("limits", limits.profile.name == LimitProfile.appStore.name ? nil : .string(limits.profile.name)),
      ("layout", layout.json), ("onUpdate", downloadsOnUpdate ? .bool(true) : nil),
      ("languages", languages.isEmpty ? nil : .object(languages)),
      ("initialInstallTags", initial.isEmpty ? nil : .strings(initial)),
      ("prefetchTagOrder", order.isEmpty ? nil : .strings(order)),
      ("accept", accepts.isEmpty ? nil : .array(accepts.map(\.json))),
      ("severity", severities.isEmpty ? nil : .object(severities.mapValues(JSONText.string))),
    ]
    let line = JSONText.ordered(members.compactMap { key, value in value.map { (key, $0) } }).line
    let text = SourceText(path: Manifest.fileName, bytes: line.array())
    var buffer = ByteBuffer()
    // The edits are nil only if the text is larger than a manifest can be.
    buffer.append(EditedText(text, edits: JSONStyle.edits(of: text) ?? []).bytes[...])
    return buffer
  }

  /// Returns the checks that would report tags in these lists, although the lists contain these tags on
  /// purpose.
  private func checksReporting(initialInstallTags initial: [String], prefetchTagOrder order: [String])
    -> [Check]
  {
    let own = Set(prefetchTagOrder.map(\.value))
    let isInBoth = initial.contains { order.contains($0) && !own.contains($0) }
    return (Set(order).count < order.count ? [.repeatedTag] : []) + (isInBoth ? [.tagInBothLists] : [])
  }

  /// Returns the tags of a list without duplicates, and without tags that no rule assigns.
  private func known(_ tags: [Located<String>]) -> [String] {
    var seen: Set<String> = []
    return tags.map(\.value).filter { firstOffsets[$0] != nil && seen.insert($0).inserted }
  }

  /// The prefetch order, with as many tags as in the manifest.
  ///
  /// The number must be kept, because priorities depend on the number of tags and on their first positions.
  /// Replaces a tag that no pack carries with another tag, without a change to the priorities. It is replaced
  /// with the previous tag, or with a tag of the initial install. If neither exists, the tag is left out.
  private var prefetchOrder: [String] {
    let first = known(initialInstallTags).first
    var order: [String] = []
    for tag in prefetchTagOrder.map(\.value) {
      if let tag = firstOffsets[tag] != nil ? tag : order.last ?? first { order.append(tag) }
    }
    return known(prefetchTagOrder).isEmpty ? [] : order
  }
}

extension ResourceRule {
  /// The rule as JSON for a manifest, without the rule's traits.
  package var json: JSONText {
    let place = destination.map { $0.path.text + ($0.isFolder && !$0.path.isRoot ? "/" : "") }
    let members: [(String, JSONText?)] = [
      (pattern.key, .string(text.value)), ("tags", tags.isEmpty ? nil : .strings(tags.map(\.value))),
      ("tagTemplates", templates.isEmpty ? nil : .strings(templates.map(\.text.value))),
      ("destination", place.map(JSONText.string)),
      ("except", excepts.isEmpty ? nil : .strings(excepts.map(\.value.text))),
      ("otherwise", isOtherwise ? .bool(true) : nil),
    ]
    return .ordered(members.compactMap { key, value in value.map { (key, $0) } })
  }
}
