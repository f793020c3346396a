package import Archiving
import Formats
import Model
package import Pipeline
import System

/// A file that has a URL.
///
/// The server keeps it open. Every request gets the file that was found when the table was made, even if
/// another build is published in the meantime.
package final class ServedFile: Sendable {
  /// The path of the file's URL, decoded and without the first slash.
  package let path: String
  package let size: Int64
  package let caching: Caching
  /// The pack that the file contains or belongs to, as an index in the table; nil if there is none.
  package let pack: Int?
  /// The stamp that distinguishes the file from another file at the same path.
  package let stamp: FileStamp
  /// The ranges of the file's bytes that clients have downloaded.
  let fetched = Monitor(ByteIntervals())
  private let file: InputFile
  /// The encoding of the bytes, such as gzip; nil if they are not encoded.
  package let coding: ContentCoding?
  /// The same file in other encodings, with the best encoding first.
  let variants: [ServedFile]
  private let digest: Monitor<Digest?>
  /// The response with the whole file.
  ///
  /// Many connections share it.
  let whole = Monitor<SharedResponse?>(nil)

  /// Creates a served file from an open file.
  ///
  /// If the file's digest is unknown, it is computed when it is first needed.
  init(
    _ path: String, file: consuming InputFile, status: FileStatus, digest: Digest? = nil,
    caching: Caching, pack: Int? = nil, coding: ContentCoding? = nil, variants: [ServedFile] = []
  ) {
    self.coding = coding
    self.variants = variants
    self.path = path
    size = status.size
    stamp = FileStamp(status)
    self.caching = caching
    self.pack = pack
    self.file = file
    self.digest = Monitor(digest)
  }

  /// Returns the file in the best encoding that a client accepts in its `Accept-Encoding` headers (RFC 9110,
  /// section 12.5.3).
  func variant(forAcceptEncoding headers: [String]) -> ServedFile {
    let items = headers.flatMap { $0.split(separator: ",") }.map { item in
      let parts = item.split(separator: ";").map { $0.filter { $0 != " " && $0 != "\t" }.lowercased() }
      let quality = parts.dropFirst().first { $0.hasPrefix("q=") }.map { Double($0.dropFirst(2)) ?? 0 }
      return (parts.first ?? "", quality ?? 1)
    }
    let qualities = Dictionary(items) { first, _ in first }
    return variants.first { variant in
      variant.coding.map { qualities[$0.rawValue] ?? qualities["*"] ?? 0 } ?? 0 > 0
    } ?? self
  }

  /// The file descriptor, which stays open as long as this value exists.
  var descriptor: Int32 { file.descriptor }

  /// Computes the digest of the bytes that the file has now.
  func bytesDigest() throws(SystemError) -> Digest { try file.digest() }

  /// The strong entity tag: the digest of the bytes, in quotes; nil if the file cannot be read.
  package var entityTag: String? {
    let digest = digest.change { known -> Digest? in
      if known == nil { known = try? bytesDigest() }
      return known
    }
    return digest.map { "\"\($0.hex)\"" }
  }

  /// The media type, derived from the file's name.
  package var type: String {
    Self.types.first { path.hasSuffix($0.suffix) }?.type ?? "application/octet-stream"
  }

  /// The media types for the ends of file names.
  ///
  /// They are used in responses and in configurations of other servers.
  static let types: [(suffix: String, type: String)] =
    [(".json", "application/json")]
    + Container.allCases.compactMap { container in container.mediaType.map { (container.suffix, $0) } }
    + [(".plist", "application/x-plist"), (PublishedNames.signatureSuffix, "text/plain")]
}
