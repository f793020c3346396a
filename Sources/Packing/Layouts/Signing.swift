import Findings
import Formats
package import PackKit
import Published
package import System

/// How a release is signed, and what its number follows.
package struct Signing: Sendable {
  let key: SecretKey
  /// The number that the user asks for; nil for the next one.
  let number: Int64?
  package let expires: String?
  /// The numbers of releases that this one follows, by the digests of their indexes.
  private var earlier: [Digest: Int64] = [:]

  package init(_ key: SecretKey, number: Int64?, expires: String?) {
    self.key = key
    self.number = number
    self.expires = expires
  }

  /// Lets the number rise over that of a release, if it has one.
  package mutating func follow(_ digest: Digest?, _ edition: Release.Edition?) {
    if let digest, let edition { earlier[digest] = edition.number }
  }

  /// A release with the number of the published one, if that is the same but for it; otherwise nil.
  func republished(_ release: Release, in folder: OutputFolder) throws(SystemError) -> Release? {
    guard let published = try folder.publishedEdition else { return nil }
    var release = release
    release.edition = (number ?? published.number, expires)
    let bytes = IndexFormat.bytes(of: release)
    let digest = bytes.withBytes { SHA256.digest(of: $0) }
    let isHigher = earlier.allSatisfy { $0 == digest || $1 < published.number }
    return isHigher && FileOperations.holds(folder.indexPath, bytes) ? release : nil
  }

  /// A release with the number of the published one, if that is the same, else with a higher one.
  func numbered(_ release: Release, in folder: OutputFolder) throws -> Release {
    if let same = try republished(release, in: folder) { return same }
    let highest = highest(with: try folder.publishedEdition)
    let next = number ?? highest.saturatingSum(with: 1)
    if next <= highest || next > ByteSize.largestExact {
      throw Refusal(release: next, after: highest, in: folder)
    }
    var release = release
    release.edition = (next, expires)
    return release
  }

  /// The signature of an index.
  func signature(of index: ByteBuffer, _ edition: Release.Edition) -> ByteBuffer {
    let digest = index.withBytes { SHA256.digest(of: $0) }
    let comment = PublishedNames.signatureComment(release: edition.number, index: digest)
    var text = ByteBuffer()
    text.append(key.signature(of: index.array(), comment: comment))
    return text
  }

  /// The finding on a number that is not higher than those of releases before it.
  fileprivate func finding(after published: Release.Edition?, in folder: OutputFolder) -> [Diagnostic] {
    let highest = highest(with: published)
    // The same number again is right for the same build, which is known once it is made.
    guard let number, number <= highest, number < highest || published?.number != number else { return [] }
    return [Refusal(release: number, after: highest, in: folder).diagnostic]
  }

  private func highest(with published: Release.Edition?) -> Int64 {
    max(published?.number ?? 0, earlier.values.max() ?? 0)
  }
}

extension Refusal {
  /// Because the number of a signed release does not rise.
  fileprivate init(release number: Int64, after highest: Int64, in folder: OutputFolder) {
    let message =
      "the release has the number \(grouped(number)), and one before it \(grouped(highest)); give a higher number with "
      + "\"--release\""
    self.init(.staleRelease, message, at: folder.indexPath)
  }
}

extension OutputFolder {
  /// The number of the published release; nil where it has none.
  var publishedEdition: Release.Edition? {
    get throws(SystemError) {
      let index = try JSONValue(of: indexPath, limit: IndexFormat.longest)
      guard let number = index?.member("release")?.wholeNumber else { return nil }
      return (number, index?.member("expires")?.string)
    }
  }

  /// The findings on a published release that a build would replace by one that clients refuse.
  func findings(replacedBy signing: Signing?) throws(SystemError) -> [Diagnostic] {
    guard layout.kind == .packtool else { return [] }
    let published = try publishedEdition
    if let signing { return signing.finding(after: published, in: self) }
    guard let published, try exists(joined(path, PublishedNames.signature)) else { return [] }
    let message =
      "release \(grouped(published.number)) in \(quoted(path)) is signed and this build is not; give the key with "
      + "\"--sign\", or remove \(quoted(PublishedNames.signature)) to sign no more"
    return [Diagnostic(.unsignedRelease, message, at: Place(indexPath))]
  }
}
