/// The compression level of packs; the raw value is its name in manifests and flags.
package enum Compression: String, Sendable, CaseIterable {
  case store
  case fast
  case `default`
  /// The smallest result, in ten times the time.
  case best
}
