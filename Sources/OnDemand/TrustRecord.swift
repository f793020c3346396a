/// A model of the file `trust`: the app and the releases that a store accepts.
struct TrustRecord: Sendable, Codable, Equatable {
  /// The bundle identifier in the first index that the store accepted.
  var bundleIdentifier: String?
  /// The highest number of all signed releases that the store has seen.
  var highestRelease: Int64?
  /// The digests of those indexes on the disk whose signatures the store has checked.
  var signed: [String] = []

  /// About how many bytes the file has, rounded up, for the message that the disk is full.
  ///
  /// `signed` has at most two digests of 64 digits, so the JSON is shorter unless the bundle identifier is
  /// very long.
  static let estimatedFileSize = 1_000
}
