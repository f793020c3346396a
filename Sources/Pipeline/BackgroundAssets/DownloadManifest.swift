import Model
package import Formats
package import System

/// The download manifest for packs on the developer's own server.
///
/// Devices download it from the URL in the app's key `BAManifestURL`.
package struct DownloadManifest: Sendable {
  /// One pack that devices can download.
  package struct Pack: Sendable {
    package let id: String
    package let url: String
    package let version: Int64
    /// The size of the archive in bytes.
    package let downloadSize: Int64
    /// The value of `downloadPolicy`, unchanged from the file.
    package let policy: JSONText
    package let userInfo: JSONText?

    package init(
      id: String, url: String, version: Int64, downloadSize: Int64, policy: JSONText, userInfo: JSONText?
    ) {
      self.id = id
      self.url = url
      self.version = version
      self.downloadSize = downloadSize
      self.policy = policy
      self.userInfo = userInfo
    }
  }

  package let path: String
  package private(set) var packs: [Pack] = []
  /// All findings.
  package private(set) var diagnostics: [Diagnostic] = []

  /// The maximum size of the file in bytes.
  package static let maxSize = 64 << 20

  package init(path: String, packs: [Pack]) {
    self.path = path
    self.packs = packs.sorted { $0.id.precedesInBytes($1.id) }
  }

  /// Reads a file that packtool or another tool wrote; nil if the file does not exist.
  ///
  /// - Throws: if the file exists but cannot be read.
  package init?(reading path: String, from origin: FileOrigin = .input) throws(SystemError) {
    self.path = path
    switch try FileContents(of: path, from: origin, limit: Self.maxSize) {
    case .missing: return nil
    case .noFile, .tooLong: report("\(quoted(path)) is not a file, or is too long", at: Place(path))
    case .bytes(let bytes): read(SourceText(path: path, bytes: bytes))
    }
  }

  private mutating func read(_ text: SourceText) {
    let (value, mistakes) = JSONReader.read(text)
    diagnostics = mistakes.map { $0.of(.damagedIndex) }
    guard let value else { return }
    guard let elements = value.member("assetPacks")?.elements else {
      return report("the download manifest has no list \"assetPacks\"", at: text.place(at: value.offset))
    }
    var first: Set<String> = []
    for element in elements {
      let place = text.place(at: element.offset)
      guard let id = element.member("id")?.string, let url = element.member("url")?.string,
        let version = element.member("version")?.wholeNumber,
        let size = element.member("downloadSize")?.wholeNumber
      else {
        report("a pack lacks its \"id\", \"url\", \"version\" or \"downloadSize\"", at: place)
        continue
      }
      if !first.insert(id).inserted { report("the pack \(quoted(id)) is listed twice", at: place) }
      let policy = element.member("downloadPolicy").map(JSONText.read) ?? .null
      packs.append(
        Pack(
          id: id, url: url, version: version, downloadSize: size, policy: policy,
          userInfo: element.member("userInfo").map(JSONText.read)))
    }
  }

  private mutating func report(_ message: String, at place: Place) {
    diagnostics.append(Diagnostic(.damagedIndex, message: message, at: place))
  }

  /// Returns the pack with this id.
  package func pack(_ id: String) -> Pack? { packs.first { $0.id == id } }

  /// The JSON text of the whole file.
  package var json: JSONText {
    .object([
      "assetPacks": .array(
        packs.map { pack in
          .object(known: [
            "id": .string(pack.id), "url": .string(pack.url), "version": .integer(pack.version),
            "downloadSize": .integer(pack.downloadSize), "downloadPolicy": pack.policy,
            "host": .object(["thirdParty": .object([:])]), "userInfo": pack.userInfo,
          ])
        })
    ])
  }
}
