import CCrypto

/// The error for a minisign key or signature that cannot be read or used.
package struct MinisignMistake: Error {
  /// The reason, worded as the end of a sentence about the key or signature.
  package let reason: String

  init(_ reason: String) { self.reason = reason }
}

/// A minisign public key: an Ed25519 key with an identifier.
package struct PublicKey: Sendable, Hashable {
  /// Eight bytes that identify the key in a signature.
  fileprivate let id: [UInt8]
  fileprivate let bytes: [UInt8]

  fileprivate init(id: [UInt8], bytes: [UInt8]) {
    self.id = id
    self.bytes = bytes
  }

  /// Reads a key from a string.
  ///
  /// The string contains the two lines of a key file, or only the last line.
  package init(_ text: String) throws(MinisignMistake) {
    let lines = text.split(whereSeparator: \.isNewline)
    guard (1...2).contains(lines.count), let bytes = Base64.bytes(of: lines[lines.count - 1]),
      bytes.count == 42,
      bytes.starts(with: "Ed".utf8)
    else { throw MinisignMistake("is not a minisign public key; such a key begins with \"RW\"") }
    id = Array(bytes[2..<10])
    self.bytes = Array(bytes[10...])
  }
}

/// A minisign secret key.
package struct SecretKey: Sendable {
  private let id: [UInt8]
  private let seed: [UInt8]

  /// The maximum memory that scrypt can use, in bytes.
  ///
  /// The keys that minisign makes need half of this memory.
  private static let maxMemory: UInt64 = 2 << 30
  /// The maximum amount of work that a key can require from scrypt.
  ///
  /// The keys that minisign makes need the value 1.
  private static let maxRounds: UInt64 = 16

  /// Reads a key from the text of a key file.
  ///
  /// The password is needed if the key is encrypted. minisign's checksum is BLAKE2b, which this code does not
  /// compute. Instead, it derives the public key from the secret key, and compares the result with the public
  /// key in the file. This detects the same damage.
  package init(_ text: String, password: String?) throws(MinisignMistake) {
    guard let bytes = Self.bytes(in: text) else { throw MinisignMistake("is not a minisign secret key") }
    var key = Array(bytes[54...])
    let isEncrypted = bytes[2..<4].elementsEqual("Sc".utf8)
    if isEncrypted {
      guard let password else {
        throw MinisignMistake(
          "is encrypted; pass the file that contains its password with \"--set sign.password=FILE\"")
      }
      let mask = try Self.mask(
        password, salt: Array(bytes[6..<38]), operationLimit: number(bytes[38..<46]),
        memoryLimit: number(bytes[46..<54]))
      key = zip(key, mask).map { $0 ^ $1 }
    } else if bytes[2..<4].contains(where: { $0 != 0 }) {
      throw MinisignMistake("is encrypted with a method that packtool does not know")
    }
    seed = Array(key[8..<40])
    guard let derived = derivedPublicKey(ofSeed: seed), derived.elementsEqual(key[40..<72]) else {
      throw MinisignMistake(
        isEncrypted ? "cannot be decrypted: the password is wrong, or the key is damaged" : "is damaged")
    }
    id = Array(key[..<8])
  }

  /// Whether a string is a minisign secret key, either encrypted or unencrypted.
  package static func isSecretKey(_ text: String) -> Bool { bytes(in: text) != nil }

  package var publicKey: PublicKey { PublicKey(id: id, bytes: derivedPublicKey(ofSeed: seed) ?? []) }

  /// Returns the bytes of a key from the text of a key file; nil for any other string.
  private static func bytes(in text: String) -> [UInt8]? {
    let lines = text.split(whereSeparator: \.isNewline)
    guard lines.count == 2, let bytes = Base64.bytes(of: lines[1]), bytes.count == 158,
      bytes.starts(with: "Ed".utf8), bytes[4..<6].elementsEqual("B2".utf8)
    else { return nil }
    return bytes
  }

  /// Returns the bytes with which an encrypted key is XORed, using scrypt with the parameters that libsodium
  /// would choose.
  private static func mask(
    _ password: String, salt: [UInt8], operationLimit work: UInt64, memoryLimit: UInt64
  ) throws(MinisignMistake) -> [UInt8] {
    let work = max(work, 32_768)
    let isBoundByWork = work < memoryLimit / 32
    let most = isBoundByWork ? work / 32 : memoryLimit / 1024
    var cost: UInt64 = 2
    while cost <= most / 2 && cost < 1 << 40 { cost *= 2 }
    let lanes = isBoundByWork ? 1 : min(work / 4 / cost, 0x3fff_ffff) / 8
    guard lanes > 0, cost * 1024 < maxMemory, cost * lanes <= maxRounds << 20 else {
      throw MinisignMistake("cannot be decrypted: this would take more memory or time than packtool allows")
    }
    var mask = [UInt8](repeating: 0, count: 104)
    let characters = Array(password.utf8).map(CChar.init(bitPattern:))
    let done = EVP_PBE_scrypt(
      characters, characters.count, salt, salt.count, cost, 8, lanes, maxMemory, &mask, mask.count)
    guard done == 1 else { throw MinisignMistake("cannot be decrypted: not enough memory") }
    return mask
  }

  /// Returns the text of a signature file.
  ///
  /// The text is always the same for the same message and comment. The signature is in minisign's older
  /// format, which signs the message itself. The newer format needs BLAKE2b, which the libraries of many apps
  /// do not have. The newer format saves memory only for large files.
  package func signature(of message: [UInt8], comment: String) -> String {
    let signature = signed(message)
    let line = Base64.text(of: Array("Ed".utf8) + id + signature)
    return
      "\(Signature.commentPrefix)signature by packtool\n\(line)\n\(Signature.trustedPrefix)\(comment)\n"
      + "\(Base64.text(of: signed(signature + comment.utf8)))\n"
  }

  private func signed(_ message: [UInt8]) -> [UInt8] {
    let key = EVP_PKEY_new_raw_private_key_ex(nil, "ED25519", nil, seed, seed.count)
    let context = EVP_MD_CTX_new()
    defer {
      EVP_MD_CTX_free(context)
      EVP_PKEY_free(key)
    }
    var (signature, count) = ([UInt8](repeating: 0, count: 64), 64)
    let done =
      EVP_DigestSignInit_ex(context, nil, nil, nil, nil, key, nil) == 1
      && EVP_DigestSign(context, &signature, &count, message, message.count) == 1
    precondition(done, "libcrypto has Ed25519, and the key is 32 bytes")
    return signature
  }
}

/// A minisign signature file.
package struct Signature: Sendable {
  /// The trusted comment, which is also signed.
  package let comment: String
  private let keyID: [UInt8]
  private let bytes: [UInt8]
  private let commentSignature: [UInt8]

  fileprivate static let commentPrefix = "untrusted comment: "
  fileprivate static let trustedPrefix = "trusted comment: "

  /// Reads a signature from the text of a signature file.
  package init(_ text: String) throws(MinisignMistake) {
    let lines = text.split(whereSeparator: \.isNewline)
    guard lines.count == 4, lines[0].hasPrefix(Self.commentPrefix), lines[2].hasPrefix(Self.trustedPrefix),
      let line = Base64.bytes(of: lines[1]), line.count == 74, let last = Base64.bytes(of: lines[3]),
      last.count == 64
    else { throw MinisignMistake("is not a minisign signature") }
    if line.starts(with: "ED".utf8) {
      throw MinisignMistake(
        "is a prehashed signature, which clients cannot check; sign with \"minisign -S -l\"")
    }
    guard line.starts(with: "Ed".utf8) else { throw MinisignMistake("uses an unknown signature algorithm") }
    keyID = Array(line[2..<10])
    bytes = Array(line[10...])
    comment = String(lines[2].dropFirst(Self.trustedPrefix.count))
    commentSignature = last
  }

  /// Whether the signature states the ID of a key.
  ///
  /// This does not prove that the key made the signature.
  package func names(_ key: PublicKey) -> Bool { key.id == keyID }

  /// Whether a key has signed both these bytes and the comment.
  package func isRight(for message: [UInt8], by key: PublicKey) -> Bool {
    names(key) && isSigned(message, signature: bytes, by: key)
      && isSigned(bytes + comment.utf8, signature: commentSignature, by: key)
  }

  /// Whether a key has signed the comment, whatever the message of the signature is.
  package func hasRightComment(by key: PublicKey) -> Bool {
    names(key) && isSigned(bytes + comment.utf8, signature: commentSignature, by: key)
  }

  private func isSigned(_ message: [UInt8], signature: [UInt8], by key: PublicKey) -> Bool {
    let key = EVP_PKEY_new_raw_public_key_ex(nil, "ED25519", nil, key.bytes, key.bytes.count)
    let context = EVP_MD_CTX_new()
    defer {
      EVP_MD_CTX_free(context)
      EVP_PKEY_free(key)
    }
    return EVP_DigestVerifyInit_ex(context, nil, nil, nil, nil, key, nil) == 1
      && EVP_DigestVerify(context, signature, signature.count, message, message.count) == 1
  }
}

/// Returns the public key that belongs to a secret key; nil if libcrypto rejects the seed.
private func derivedPublicKey(ofSeed seed: [UInt8]) -> [UInt8]? {
  let key = EVP_PKEY_new_raw_private_key_ex(nil, "ED25519", nil, seed, seed.count)
  defer { EVP_PKEY_free(key) }
  var (bytes, count) = ([UInt8](repeating: 0, count: 32), 32)
  return EVP_PKEY_get_raw_public_key(key, &bytes, &count) == 1 ? bytes : nil
}

/// Reads eight bytes as a little-endian number.
private func number(_ bytes: ArraySlice<UInt8>) -> UInt64 {
  bytes.reversed().reduce(0) { $0 << 8 | UInt64($1) }
}

/// Converts between bytes and Base64 text (RFC 4648).
package enum Base64 {
  package static func text(of bytes: [UInt8]) -> String {
    var text = [UInt8](repeating: 0, count: (bytes.count + 2) / 3 * 4 + 1)
    let count = Int(EVP_EncodeBlock(&text, bytes, Int32(bytes.count)))
    return String(decoding: text[..<count], as: UTF8.self)
  }

  /// Decodes Base64 text.
  ///
  /// The result is nil if encoding the decoded bytes would not produce exactly the same text.
  package static func bytes(of text: Substring) -> [UInt8]? {
    let count = text.utf8.count
    var bytes = [UInt8](repeating: 0, count: count / 4 * 3)
    guard count % 4 == 0, EVP_DecodeBlock(&bytes, Array(text.utf8), Int32(count)) >= 0 else { return nil }
    bytes.removeLast(text.utf8.suffix(2).count { $0 == UInt8(ascii: "=") })
    return self.text(of: bytes) == text ? bytes : nil
  }
}
