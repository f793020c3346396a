/// How hard packs are compressed; the raw value is its name in manifests and flags.
package enum Compression: String, Sendable, CaseIterable {
  /// Not at all.
  case store
  case fast
  case `default`
  /// As small as the library can, at ten times the time.
  case best
}
