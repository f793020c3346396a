import Foundation

#if canImport(CryptoKit)
  import CryptoKit
#else
  import CCrypto
#endif

/// A running SHA-256.
struct SHA256Digest {
  #if canImport(CryptoKit)
    private var state = SHA256()

    mutating func update(_ bytes: UnsafeRawBufferPointer) { state.update(bufferPointer: bytes) }
    func hex() -> String { hexText(state.finalize()) }
  #else
    private var state = SHA256_CTX()

    init() { SHA256_Init(&state) }

    mutating func update(_ bytes: UnsafeRawBufferPointer) {
      SHA256_Update(&state, bytes.baseAddress, bytes.count)
    }

    func hex() -> String {
      var copy = state
      var bytes = [UInt8](repeating: 0, count: 32)
      SHA256_Final(&bytes, &copy)
      return hexText(bytes)
    }
  #endif

  mutating func update(_ data: some ContiguousBytes) { data.withUnsafeBytes { update($0) } }

  static func hex(of data: some ContiguousBytes) -> String {
    var digest = SHA256Digest()
    digest.update(data)
    return digest.hex()
  }

  /// Adds the start of a file, a part at a time.
  mutating func update(_ file: URL, upTo count: Int64) throws {
    let handle = try FileHandle(forReadingFrom: file)
    defer { try? handle.close() }
    var rest = count
    while rest > 0, let data = try handle.read(upToCount: Int(min(rest, 1 << 18))), !data.isEmpty {
      update(data)
      rest -= Int64(data.count)
    }
  }
}

private func hexText(_ bytes: some Sequence<UInt8>) -> String {
  let digits: StaticString = "0123456789abcdef"
  return String(unsafeUninitializedCapacity: 64) { text in
    for (place, byte) in bytes.enumerated() {
      text[2 * place] = digits.utf8Start[Int(byte >> 4)]
      text[2 * place + 1] = digits.utf8Start[Int(byte & 15)]
    }
    return 64
  }
}

/// The public keys that a store trusts, and what minisign signs with them.
struct TrustedKeys: Sendable {
  private struct Key { let id: Data, bytes: Data }

  private let keys: [Key]

  var isEmpty: Bool { keys.isEmpty }

  /// Takes keys as `minisign -G` prints them, with their comment line or without.
  init(_ texts: [String]) throws(OnDemandError) {
    var keys: [Key] = []
    for text in texts {
      let line = text.split(whereSeparator: \.isNewline).last { !$0.hasPrefix("untrusted comment:") } ?? ""
      guard let bytes = Data(base64Encoded: String(line)), bytes.count == 42,
        bytes.prefix(2).elementsEqual("Ed".utf8)
      else { throw .untrusted("\"\(text)\" is no public key of minisign") }
      keys.append(Key(id: bytes.subdata(in: 2..<10), bytes: bytes.subdata(in: 10..<42)))
    }
    self.keys = keys
  }

  /// Checks both signatures of a `.minisig` file: of the data, and of the comment that is to be trusted.
  func check(_ data: Data, signature: Data) throws(OnDemandError) {
    let lines = String(decoding: signature, as: UTF8.self).split(
      omittingEmptySubsequences: false, whereSeparator: \.isNewline)
    let prefix = "trusted comment: "
    guard lines.count >= 4, lines[0].hasPrefix("untrusted comment:"), lines[2].hasPrefix(prefix),
      let first = Data(base64Encoded: String(lines[1])), first.count == 74,
      let second = Data(base64Encoded: String(lines[3])), second.count == 64
    else { throw .untrusted("its signature is not minisign's") }
    guard let key = keys.first(where: { $0.id == first.subdata(in: 2..<10) }) else {
      throw .untrusted("it is signed by another key")
    }
    let signed = first.subdata(in: 10..<74)
    let message: Data
    switch String(decoding: first.prefix(2), as: UTF8.self) {
    case "Ed": message = data
    case "ED": message = try blake2b(data)
    default: throw .untrusted("its signature is of an unknown kind")
    }
    let comment = signed + Data(lines[2].dropFirst(prefix.count).utf8)
    if !isSigned(message, by: key.bytes, signed) || !isSigned(comment, by: key.bytes, second) {
      throw .untrusted("its signature is wrong")
    }
  }
}

/// The digest that minisign signs where it hashes first.
private func blake2b(_ data: Data) throws(OnDemandError) -> Data {
  #if canImport(CryptoKit)
    throw .untrusted("it is signed by its BLAKE2b digest, which this system lacks; sign with `minisign -l`")
  #else
    var bytes = [UInt8](repeating: 0, count: 64)
    let isDone = data.withUnsafeBytes {
      EVP_Digest($0.baseAddress, $0.count, &bytes, nil, EVP_blake2b512(), nil)
    }
    if isDone != 1 { throw .untrusted("libcrypto has no BLAKE2b") }
    return Data(bytes)
  #endif
}

private func isSigned(_ message: Data, by key: Data, _ signature: Data) -> Bool {
  #if canImport(CryptoKit)
    guard let key = try? Curve25519.Signing.PublicKey(rawRepresentation: key) else { return false }
    return key.isValidSignature(signature, for: message)
  #else
    let key = Array(key)
    guard let handle = EVP_PKEY_new_raw_public_key(EVP_PKEY_ED25519, nil, key, key.count) else {
      return false
    }
    defer { EVP_PKEY_free(handle) }
    guard let context = EVP_MD_CTX_new() else { return false }
    defer { EVP_MD_CTX_free(context) }
    if EVP_DigestVerifyInit(context, nil, nil, nil, handle) != 1 { return false }
    return message.withUnsafeBytes { message in
      signature.withUnsafeBytes { signature in
        // Of no bytes the address is nil, which libcrypto takes for the call that asks for a length.
        EVP_DigestVerify(
          context, signature.bindMemory(to: UInt8.self).baseAddress, signature.count,
          message.bindMemory(to: UInt8.self).baseAddress, message.count) == 1
      }
    }
  #endif
}
