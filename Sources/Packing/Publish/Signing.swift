import Formats
import Model
package import Pipeline
package import System

/// The settings for signing a release, and the numbers of earlier releases.
package struct Signing: Sendable {
  let key: SecretKey
  /// The release number that the user specifies; nil for the next number.
  let number: Int64?
  package let expiryText: String?
  /// The numbers of earlier releases, keyed by the digests of their indexes.
  ///
  /// It contains only numbers that are proved by a signature.
  private var earlier: [Digest: Int64] = [:]
  /// Findings about releases whose numbers no signature proves.
  private var unproven: [Diagnostic] = []

  /// The maximum difference between the numbers of earlier releases.
  ///
  /// The maximum does not apply if the user specifies the next number. If a number were much too high by
  /// mistake, all later releases would need an even higher number.
  private static let maxNumberDifference: Int64 = 1_000_000

  package init(_ key: SecretKey, number: Int64?, expiryText: String?) {
    self.key = key
    self.number = number
    self.expiryText = expiryText
  }

  /// Makes the next number higher than the number of a release, if the signature next to the release's index
  /// proves that number.
  package mutating func raiseNumber(above index: PublishedIndex?, ifSignedAt path: String) throws(SystemError)
  {
    guard let index, let edition = index.edition else { return }
    if let signature = try signature(ofIndexAt: path, from: .input),
      signature.isRight(for: index.text.bytes, by: key.publicKey)
    {
      earlier[index.digest] = edition.number
    } else {
      unproven.append(finding(onUnproven: edition, at: path))
    }
  }

  /// Returns the signature next to an index; nil if the index has no signature.
  private func signature(ofIndexAt path: String, from origin: FileOrigin) throws(SystemError) -> Signature? {
    let path = "\(path)\(PublishedNames.signatureSuffix)"
    guard
      case .bytes(let text) = try FileContents(of: path, from: origin, limit: PublishedNames.maxSignatureSize)
    else { return nil }
    return try? Signature(String(decoding: text, as: UTF8.self))
  }

  private func finding(onUnproven edition: Release.Edition, at path: String) -> Diagnostic {
    let message =
      "the release \(quoted(path)) has the number \(grouped(edition.number)), but no signature with this key "
      + "confirms this number; also copy "
      + "\(quoted("\(lastName(of: path))\(PublishedNames.signatureSuffix)")), or set the "
      + "number of the new release with \"--release\""
    return Diagnostic(.doubtfulReleaseNumber, message: message, at: Place(path))
  }

  /// A release that this key has signed: its number, and the digest of its index.
  private struct SignedRelease {
    let number: Int64
    let index: Digest
  }

  /// Returns the latest signed release in the output folder; nil if there is no signature.
  ///
  /// The number and digest are read from the signature's comment, which is also signed.
  ///
  /// A build that is killed leaves the signature of the new release next to the old index. Therefore the
  /// index alone does not show the latest number.
  private func lastSigned(in folder: OutputFolder) throws(SystemError) -> SignedRelease? {
    guard let signature = try signature(ofIndexAt: folder.indexPath, from: .output),
      signature.hasRightComment(by: key.publicKey),
      let (number, digest) = PublishedNames.parts(ofSignatureComment: signature.comment)
    else { return nil }
    return SignedRelease(number: number, index: digest)
  }

  /// Returns a release with the number of the latest signed release, if both releases are otherwise equal;
  /// otherwise nil.
  private func renumbered(_ release: Release, ifSameAs last: SignedRelease?) -> (
    release: Release, bytes: ByteBuffer
  )? {
    guard let last else { return nil }
    var release = release
    release.edition = Release.Edition(number: number ?? last.number, expiryText: expiryText)
    let bytes = IndexFormat.bytes(of: release)
    let digest = bytes.withBytes { SHA256.digest(of: $0) }
    let isHigher = earlier.allSatisfy { $0 == digest || $1 < last.number }
    return isHigher && digest == last.index ? (release, bytes) : nil
  }

  /// Returns the release with the number of the published release, if both releases are otherwise equal;
  /// otherwise nil.
  func republished(_ release: Release, in folder: OutputFolder) throws(SystemError) -> Release? {
    guard let same = renumbered(release, ifSameAs: try lastSigned(in: folder)) else { return nil }
    return FileOperations.contents(of: folder.indexPath, equal: same.bytes) ? same.release : nil
  }

  /// Returns a release with the number of the published release if both releases are otherwise equal,
  /// otherwise with a higher number.
  func numbered(_ release: Release, in folder: OutputFolder) throws -> Release {
    let last = try lastSigned(in: folder)
    if let same = renumbered(release, ifSameAs: last) { return same.release }
    let highest = highest(with: last)
    let next = number ?? highest.saturatingSum(with: 1)
    if next <= highest || next > ByteSize.largestExact {
      throw Refusal(releaseNumber: next, notAbove: highest, in: folder)
    }
    var release = release
    release.edition = Release.Edition(number: next, expiryText: expiryText)
    return release
  }

  /// Returns the signature of an index.
  func signature(of index: ByteBuffer, edition: Release.Edition) -> ByteBuffer {
    let digest = index.withBytes { SHA256.digest(of: $0) }
    let comment = PublishedNames.signatureComment(releaseNumber: edition.number, indexDigest: digest)
    var text = ByteBuffer()
    text.append(key.signature(of: index.array(), comment: comment))
    return text
  }

  /// Returns findings about the numbers of earlier releases, or about a specified number that is not higher
  /// than the earlier numbers.
  fileprivate func findings(in folder: OutputFolder) throws(SystemError) -> [Diagnostic] {
    let last = try lastSigned(in: folder)
    let highest = highest(with: last)
    guard let number else {
      var unproven = unproven
      if last == nil, let edition = try folder.publishedEdition {
        unproven.append(finding(onUnproven: edition, at: folder.indexPath))
      }
      let lowest = min(last?.number ?? .max, earlier.values.min() ?? .max)
      if lowest < highest, highest - lowest > Self.maxNumberDifference {
        let message =
          "the numbers of earlier releases are \(grouped(lowest)) and \(grouped(highest)), a difference of "
          + "more than \(grouped(Self.maxNumberDifference)); set the number of the new release with \"--release\""
        unproven.append(Diagnostic(.doubtfulReleaseNumber, message: message, at: Place(folder.indexPath)))
      }
      return unproven
    }
    // If the new build is the same as the published build, the same number is right. packtool knows this only
    // after the build.
    guard number <= highest, number < highest || last?.number != number else { return [] }
    return [Refusal(releaseNumber: number, notAbove: highest, in: folder).diagnostic]
  }

  private func highest(with last: SignedRelease?) -> Int64 {
    max(last?.number ?? 0, earlier.values.max() ?? 0)
  }
}

extension Refusal {
  /// Creates a refusal because the number of a signed release is not higher than the numbers of earlier
  /// releases.
  fileprivate init(releaseNumber number: Int64, notAbove highest: Int64, in folder: OutputFolder) {
    let message =
      "the release has the number \(grouped(number)), but an earlier release has the number "
      + "\(grouped(highest)); set a higher number with \"--release\""
    self.init(.staleRelease, message: message, at: folder.indexPath)
  }
}

extension OutputFolder {
  /// The number of the published release; nil if the release has no number.
  var publishedEdition: Release.Edition? {
    get throws(SystemError) {
      let index = try JSONValue(outputPath: indexPath, limit: IndexFormat.maxSize)
      guard let number = index?.member("release")?.wholeNumber else { return nil }
      return Release.Edition(number: number, expiryText: index?.member("expires")?.string)
    }
  }

  /// Returns findings about replacing a published release with a release that clients would reject.
  func findings(replacedBy signing: Signing?) throws(SystemError) -> [Diagnostic] {
    guard files.layout.hasIndex else { return [] }
    let published = try publishedEdition
    if let signing { return try signing.findings(in: self) }
    guard let published, try exists(joined(path, PublishedNames.signature)) else { return [] }
    let message =
      "release \(grouped(published.number)) in \(quoted(path)) is signed, but this build is not; pass the "
      + "key with \"--sign\", or remove \(quoted(PublishedNames.signature)) to stop signing"
    return [Diagnostic(.unsignedRelease, message: message, at: Place(indexPath))]
  }
}
