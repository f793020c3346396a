/// How hard packs are compressed; the raw value is its name in manifests and flags.
package enum Compression: String, Sendable, CaseIterable {
  /// Not at all.
  case store
  case fast
  case `default`
  /// As small as the library can, at ten times the time.
  case best

  /// The level of libdeflate, for zip.
  var deflateLevel: Int {
    switch self {
    case .store: 0
    case .fast: 1
    // As small as zlib makes real assets at its 6, in a third of its time.
    case .default: 4
    case .best: 12
    }
  }

  /// The level of zlib, for tar.gz.
  var zlibLevel: Int {
    switch self {
    case .store: 0
    case .fast: 1
    case .default: 6
    case .best: 9
    }
  }

  /// The level of zstd, for tar.zst, which always compresses a little.
  var zstandardLevel: Int {
    switch self {
    case .store, .fast: 1
    case .default: 3
    case .best: 19
    }
  }
}
