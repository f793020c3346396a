import Formats

/// The settings and versions that, together with the files, determine the bytes of packs.
///
/// Each has a name for messages.
package struct SettingsKey: Sendable, Hashable {
  /// One setting or version.
  struct Part: Sendable, Hashable {
    let name: String
    let value: String
  }

  let parts: [Part]

  init(_ parts: [Part]) { self.parts = parts }

  /// A setting whose value differs from the value in the previous build.
  ///
  /// If one of the two builds does not have the setting, its value is nil.
  package struct Change: Sendable, Hashable {
    package let name: String
    package let old: String?
    package let new: String?

    /// The change, for messages: `compression was "default", is now "best"`.
    package var words: String { "\(name) was \(shown(old)), is now \(shown(new))" }

    /// The difference between two shards as a text for messages.
    var comparison: String { "\(name) is \(shown(old)) in the first and \(shown(new)) in the second" }

    private func shown(_ value: String?) -> String { value.map { quoted($0) } ?? "not set" }
  }

  /// The settings and versions that differ from an older key, in the order of this key.
  func changes(since old: SettingsKey) -> [Change] {
    let (before, now) = (old.values, values)
    let changed = parts.map(\.name) + old.parts.map(\.name).filter { now[$0] == nil }
    return changed.filter { before[$0] != now[$0] }.map { Change(name: $0, old: before[$0], new: now[$0]) }
  }

  private var values: [String: String] { Dictionary(parts.map { ($0.name, $0.value) }) { first, _ in first } }
}
