/// The file format of a built pack; the raw value is its name in manifests.
package enum Container: String, Sendable, CaseIterable {
  case zip
  case tarGzip = "tar.gz"
  case tarZstandard = "tar.zst"
  case folder

  /// The file name extension of a pack, with its dot.
  package var suffix: String { self == .folder ? "" : ".\(rawValue)" }
}
