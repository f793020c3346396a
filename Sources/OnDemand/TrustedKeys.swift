import Foundation

#if canImport(CryptoKit)
  import CryptoKit
#else
  import CCrypto
#endif

/// The minisign public keys that a store trusts.
struct TrustedKeys: Sendable {
  /// The bytes of each key, keyed by the key's id.
  private var keys: [Data: Data] = [:]

  var isEmpty: Bool { keys.isEmpty }

  /// Reads keys as `minisign -G` prints them, with or without the comment line of each key.
  init(_ texts: [String]) throws(OnDemandError) {
    for text in texts {
      let line = text.split(whereSeparator: \.isNewline).last { !$0.hasPrefix("untrusted comment:") } ?? ""
      guard let bytes = Data(base64Encoded: String(line)), bytes.count == 42,
        bytes.prefix(2).elementsEqual("Ed".utf8)
      else { throw .untrusted("\"\(text)\" is not a public minisign key") }
      keys[bytes.subdata(in: 2..<10)] = bytes.subdata(in: 10..<42)
    }
  }

  /// Checks both signatures of a `.minisig` file: the data's signature and the trusted comment's signature.
  func check(_ data: Data, signature: Data) throws(OnDemandError) {
    // The code splits bytes, because only a line feed ends a line. A comment can contain other characters
    // that Unicode treats as line ends.
    let lines = signature.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).map { line in
      Data(line.last == UInt8(ascii: "\r") ? line.dropLast() : line)
    }
    let prefix = "trusted comment: "
    guard lines.count >= 4, lines[0].starts(with: "untrusted comment:".utf8),
      lines[2].starts(with: prefix.utf8),
      let first = Data(base64Encoded: lines[1]), first.count == 74,
      let second = Data(base64Encoded: lines[3]), second.count == 64
    else { throw .untrusted("its signature is not a minisign signature") }
    guard let key = keys[first.subdata(in: 2..<10)] else { throw .untrusted("it is signed with another key") }
    let signed = first.subdata(in: 10..<74)
    let kind = String(decoding: first.prefix(2), as: UTF8.self)
    if kind != "Ed" && kind != "ED" { throw .untrusted("its signature has an unknown algorithm") }
    let message = kind == "Ed" ? data : try blake2b(data)
    let comment = signed + lines[2].dropFirst(prefix.utf8.count)
    if !isSigned(message, by: key, signature: signed) || !isSigned(comment, by: key, signature: second) {
      throw .untrusted("its signature is wrong")
    }
  }
}

#if canImport(CryptoKit)
  private func blake2b(_ data: Data) throws(OnDemandError) -> Data {
    throw .untrusted("its signature uses a BLAKE2b digest, which this system lacks; sign with `minisign -l`")
  }

  private func isSigned(_ message: Data, by key: Data, signature: Data) -> Bool {
    let key = try? Curve25519.Signing.PublicKey(rawRepresentation: key)
    return key?.isValidSignature(signature, for: message) == true
  }
#else
  /// The BLAKE2b digest of the data, which minisign signs in its prehashed format.
  private func blake2b(_ data: Data) throws(OnDemandError) -> Data {
    var bytes = [UInt8](repeating: 0, count: 64)
    let isDone = data.withUnsafeBytes {
      EVP_Digest($0.baseAddress, $0.count, &bytes, nil, EVP_blake2b512(), nil)
    }
    if isDone != 1 { throw .untrusted("libcrypto has no BLAKE2b") }
    return Data(bytes)
  }

  private func isSigned(_ message: Data, by key: Data, signature: Data) -> Bool {
    let (message, signature) = (Array(message), Array(signature))
    guard let handle = EVP_PKEY_new_raw_public_key(EVP_PKEY_ED25519, nil, Array(key), key.count),
      let context = EVP_MD_CTX_new()
    else { return false }
    defer {
      EVP_PKEY_free(handle)
      EVP_MD_CTX_free(context)
    }
    return EVP_DigestVerifyInit(context, nil, nil, nil, handle) == 1
      && EVP_DigestVerify(context, signature, signature.count, message, message.count) == 1
  }
#endif
