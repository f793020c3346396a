/// The form of a built pack; the raw value is its name in manifests.
package enum Container: String, Sendable, CaseIterable {
  case zip
  case tarGzip = "tar.gz"
  case tarZstandard = "tar.zst"
  case folder

  /// What stands behind a pack's name and digest.
  package var suffix: String { self == .folder ? "" : ".\(rawValue)" }
}
