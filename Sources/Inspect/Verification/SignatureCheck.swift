import Formats
import Model
import Pipeline
import System

extension BuiltFolder {
  /// Returns findings about the signature of the index, and about an expired release.
  ///
  /// There is a finding if none of the keys signed the index.
  func signatureFindings(
    _ index: PublishedIndex, keys: [PublicKey]
  ) throws(SystemError) -> [Diagnostic] {
    let path = "\(indexPath)\(PublishedNames.signatureSuffix)"
    var found: [Diagnostic] = []
    if let fault = try signatureFault(of: index, at: path, keys: keys) {
      found.append(Diagnostic(.damagedSignature, message: "\(quoted(path)) \(fault)", at: Place(path)))
    }
    if let expires = index.edition?.expiryText, let time = UTCTime.time(of: expires)?.seconds,
      time <= ThisProcess.time / 1_000_000_000
    {
      found.append(
        Diagnostic(.expiredRelease, message: "the release expired at \(expires)", at: Place(indexPath)))
    }
    return found
  }

  /// Returns what is wrong with the signature, worded as the end of a sentence.
  ///
  /// Returns nil if the signature is valid, or if there is no signature and none is required.
  private func signatureFault(
    of index: PublishedIndex, at path: String, keys: [PublicKey]
  ) throws(SystemError) -> String? {
    let bytes: [UInt8]
    switch try FileContents(of: path, limit: PublishedNames.maxSignatureSize) {
    case .bytes(let found): bytes = found
    case .missing, .noFile:
      guard index.edition != nil || !keys.isEmpty else { return nil }
      return
        "is missing, so clients that have a public key reject every update; copy it again, or build with "
        + "\"--sign\""
    case .tooLong: return "is longer than \(ByteSize.exact(PublishedNames.maxSignatureSize))"
    }
    let signature: Signature
    do throws(MinisignMistake) {
      signature = try Signature(String(decoding: bytes, as: UTF8.self))
    } catch {
      return error.reason
    }
    let comment = PublishedNames.signatureComment(
      releaseNumber: index.edition?.number ?? 0, indexDigest: index.digest)
    if signature.comment.hasPrefix(PublishedNames.signatureCommentStart), signature.comment != comment {
      return "is the signature of another index; copy the index and the signature again, or build again"
    }
    if keys.isEmpty || keys.contains(where: { signature.isRight(for: index.text.bytes, by: $0) }) {
      return nil
    }
    return keys.contains(where: signature.names)
      ? "is not the signature of this index; copy the index and the signature again, or build again"
      : "does not belong to the public key that was given"
  }
}
