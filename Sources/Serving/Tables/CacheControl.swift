extension ServedFile {
  /// How long clients and caches may keep a file.
  package enum Caching: Sendable {
    /// They may keep the file forever, because the name of the file contains a digest of its bytes.
    case immutable
    /// They may keep the file, but must ask the server before each use whether the file has changed.
    case revalidated

    /// The value of the `Cache-Control` header.
    var header: String { self == .immutable ? "public, max-age=31536000, immutable" : "no-cache" }
  }
}
