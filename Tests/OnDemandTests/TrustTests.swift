import CCrypto
import Foundation
import Support
import Testing

@testable import OnDemand

/// Tests which indexes a store with keys accepts.
@Suite(.noHang, .mostlyWaits) struct TrustTests {
  @Test func `only signed indexes are taken`() async throws {
    let built = try BuiltSite()
    let (key, other) = (TestKey(1), TestKey(2))
    var site = try StoreSite(built.path)
    site.options.publicKeys = [other.text, "untrusted comment: minisign public key\n\(key.text)\n"]
    let store = try await site.open()
    await #expect(throws: OnDemandError.refused(pack: nil, status: 404)) { try await store.takeUpdate() }
    try sign(built, key, release: 5)
    #expect(try await store.takeUpdate() != nil)
    try sign(built, other, release: 5)
    #expect(try await store.takeUpdate() == nil)
    try sign(built, TestKey(3), release: 6)
    await #expect(throws: OnDemandError.untrusted("it is signed with a key that the app does not trust")) {
      try await store.takeUpdate()
    }
    try sign(built, key, release: 4)
    await #expect(
      throws: OnDemandError.untrusted("release 5 has already been seen, but the index is release 4")
    ) {
      try await store.takeUpdate()
    }
    try sign(built, key, release: 6)
    #expect(try await store.takeUpdate() != nil)
    await store.close()
    let again = try await site.open()
    try sign(built, key, release: 5)
    await #expect(
      throws: OnDemandError.untrusted("release 6 has already been seen, but the index is release 5")
    ) {
      try await again.takeUpdate()
    }
    await again.close()
  }

  /// The number of an unsigned release is not recorded, because an attacker could have made this release.
  @Test func `a release without a signature does not count as seen`() async throws {
    var (built, key, site) = try signedSite()
    site.options.publicKeys = []
    try sign(built, key, release: 9)
    try await site.updated().close()
    site.options.publicKeys = [key.text]
    let store = try await site.open()
    try sign(built, key, release: 5)
    #expect(try await store.takeUpdate() != nil)
    try sign(built, key, release: 4)
    await #expect(
      throws: OnDemandError.untrusted("release 5 has already been seen, but the index is release 4")
    ) {
      try await store.takeUpdate()
    }
    await store.close()
  }

  /// When the store gets the signature of a release for the first time, it records the number, even if this
  /// release is already the current one.
  @Test func `a release that is in place counts as seen once it is signed`() async throws {
    var (built, key, site) = try signedSite()
    site.options.publicKeys = []
    try sign(built, key, release: 9)
    try await site.updated().close()
    site.options.publicKeys = [key.text]
    for isNew in [false, true] {
      let store = try await site.open()
      if isNew {
        try sign(built, key, release: 8)
        await #expect(
          throws: OnDemandError.untrusted("release 9 has already been seen, but the index is release 8")
        ) {
          try await store.takeUpdate()
        }
      } else {
        // When a key is added, the store does not keep a release that it accepted without a key.
        #expect(store.release == nil)
        #expect(try await store.takeUpdate() != nil)
      }
      await store.close()
    }
  }

  @Test func `the index of another app is refused`() async throws {
    let (built, key, site) = try signedSite()
    let store = try await site.open()
    try sign(built, key, release: 1)
    #expect(try await store.takeUpdate() != nil)
    let index = try Catalog(index: Data(built.site.folder.read("out/index.json")))
    let app = try #require(index.bundleIdentifier)
    try sign(built, key, release: 2, bundleIdentifier: "com.example.other")
    let reason = "it belongs to the app \"com.example.other\", not to \"\(app)\""
    await #expect(throws: OnDemandError.untrusted(reason)) { try await store.takeUpdate() }
    try sign(built, key, release: 2, bundleIdentifier: app)
    #expect(try await store.takeUpdate() != nil)
    await store.close()
  }

  @Test func `the app's identifier and least release bind a store from its first index on`() async throws {
    let (built, key, signed) = try signedSite()
    let app = "com.example.test"
    for isSigned in [true, false] {
      var site = try StoreSite(built.path)
      if isSigned { site.options.publicKeys = signed.options.publicKeys }
      (site.options.bundleIdentifier, site.options.minimumRelease) = (app, 5)
      let store = try await site.open()
      try sign(built, key, release: 7, bundleIdentifier: "com.example.other")
      let other = "it belongs to the app \"com.example.other\", not to \"\(app)\""
      await #expect(throws: OnDemandError.untrusted(other)) { try await store.checkForUpdate() }
      try sign(built, key, release: 4, bundleIdentifier: app)
      let old = OnDemandError.untrusted("it is release 4, but this app needs at least release 5")
      await #expect(throws: old) { try await store.checkForUpdate() }
      try sign(built, key, release: 8, bundleIdentifier: app)
      #expect(try await store.takeUpdate() != nil)
      await store.close()
      // A store with a release of another app, or with a release that is too old, behaves as if it had no
      // release.
      for change in [{ $0.bundleIdentifier = "com.example.other" }, { $0.minimumRelease = 9 }]
        as [(inout PackStore.Options) -> Void]
      {
        var changed = site
        change(&changed.options)
        let refused = try await changed.open()
        #expect(refused.release == nil)
        await refused.close()
      }
    }
  }

  @Test func `a catalog that was taken without keys is refused with keys`() async throws {
    var (built, key, site) = try signedSite()
    site.options.publicKeys = []
    try sign(built, key, release: 1)
    let first = try await site.updated()
    try await first.request(for: ["D"]).beginAccessing()
    await first.close()
    site.options.publicKeys = [key.text]
    let store = try await site.open()
    #expect(store.release == nil && store.tags == [])
    let asked = site.server.paths.count
    // The signed release has the same packs, so the store downloads only its index and its signature.
    try await store.request(for: ["D"]).beginAccessing()
    #expect(site.server.paths.dropFirst(asked) == ["index.json", "index.json.minisig"])
    await store.close()
  }

  @Test(arguments: ["\u{2028}", "\u{85}", "\u{c}", "\u{301}", ""])
  func `a trusted comment can have any sign`(sign: String) throws {
    let key = TestKey(7)
    let data = Data("the index".utf8)
    let signature = key.signature(of: data, comment: "\(sign)a\(sign)b")
    try TrustedKeys([key.text]).check(data, signature: signature)
    let lines = signature.split(separator: 10, omittingEmptySubsequences: false)
    try TrustedKeys([key.text]).check(data, signature: Data(lines.joined(separator: Data([13, 10]))))
  }

  /// Another build is published after the request for the index and before the request for the signature.
  @Test func `a release that comes in between is taken`() async throws {
    let (built, key, site) = try signedSite()
    let store = try await site.open()
    try sign(built, key, release: 1)
    let old = try Data(built.site.folder.read("out/index.json"))
    try sign(built, key, release: 2)
    let looks = Locked(0)
    site.server.bend { path, answer in
      if path != "index.json" { return }
      let isFirst = looks.withLock { looks in
        looks += 1
        return looks == 1
      }
      if isFirst { (answer.body, answer.headers["Content-Length"]) = (old, "\(old.count)") }
    }
    #expect(try await store.takeUpdate() != nil)
    #expect(looks.withLock { $0 } == 2)
    await store.close()
  }

  @Test func `signatures that are wrong in one place are refused`() async throws {
    let (built, key, site) = try signedSite()
    let store = try await site.open()
    try sign(built, key, release: 1)
    let good = try built.site.folder.read("out/index.json.minisig")
    // Without ETags, the server always sends the index, so its signature is checked each time.
    site.server.bend { _, answer in answer.headers["ETag"] = nil }
    var refused = 0
    for place in stride(from: 0, to: good.count, by: 5) where good[place] != 10 {
      var bytes = good
      bytes[place] ^= 1
      try built.site.folder.write("out/index.json.minisig", Data(bytes))
      let isTaken = (try? await store.checkForUpdate()) != nil
      // The untrusted comment of a signature can be changed without any effect.
      if !isTaken { refused += 1 }
      let isFree = bytes.prefix(18).elementsEqual(good.prefix(18)) && place < good.firstIndex(of: 10)!
      #expect(!isTaken || isFree, "byte \(place)")
    }
    #expect(refused > 20)
    await store.close()
  }

  @Test func `an index expires`() async throws {
    let (built, key, site) = try signedSite(at: 1_800_000_000_000_000)
    let store = try await site.open()
    try sign(built, key, release: 1, expires: "2027-01-15T07:59:59Z")
    await #expect(throws: OnDemandError.untrusted("it expired at 2027-01-15T07:59:59Z")) {
      try await store.takeUpdate()
    }
    // A release expires at exactly its time of expiry. A time that cannot be read also counts as expired.
    for date in ["2027-01-15T08:00:00Z", "soon"] {
      try sign(built, key, release: 1, expires: date)
      await #expect(throws: OnDemandError.untrusted("it expired at \(date)")) { try await store.takeUpdate() }
    }
    for date in ["2027-01-15T08:00:01Z", "2027-01-15T10:00:00.5+01:00"] {
      try sign(built, key, release: 1, expires: date)
      #expect(try await store.takeUpdate() != nil)
    }
    await store.close()
  }

  @Test func `prehashed signatures are taken`() throws {
    let key = TestKey(7)
    let keys = try TrustedKeys([key.text])
    for size in [0, 1, 1000] {
      let data = Data(repeating: 7, count: size)
      for isHashed in [false, true] {
        try keys.check(data, signature: key.signature(of: data, isHashed: isHashed))
      }
    }
    for text in [
      "no key", "", "untrusted comment: x", String(key.text.dropLast(4)), "AAAA" + key.text.dropFirst(4),
    ] {
      #expect(throws: OnDemandError.untrusted("\"\(text)\" is not a minisign public key")) {
        try TrustedKeys([text])
      }
    }
  }

  @Test func `checking signatures gives its memory back`() async throws {
    await #expect(processExitsWith: .success) {
      let key = TestKey(7)
      let keys = try TrustedKeys([key.text])
      let data = Data("the index".utf8)
      let signature = key.signature(of: data)
      let givesBack = try givesMemoryBack {
        for _ in 0..<40 { try keys.check(data, signature: signature) }
      }
      #expect(givesBack)
    }
  }

  @Test func `prehashed signatures of other data are refused`() throws {
    let key = TestKey(7)
    let keys = try TrustedKeys([TestKey(6).text, key.text])
    let data = Data("the index".utf8)
    for isHashed in [false, true] {
      let signature = key.signature(of: data, isHashed: isHashed)
      try keys.check(data, signature: signature)
      #expect(throws: OnDemandError.untrusted("its signature does not match")) {
        try keys.check(data + [0], signature: signature)
      }
      let lines = String(decoding: signature, as: UTF8.self).split(separator: "\n").map(String.init)
      let wrong: [(String, [String])] = [
        ("its signature is not a minisign signature", Array(lines.prefix(3))),
        ("its signature is not a minisign signature", ["comment: x"] + lines.dropFirst()),
        ("its signature is not a minisign signature", lines.prefix(2) + ["comment: x", lines[3]]),
        ("its signature is not a minisign signature", [lines[0], lines[3], lines[2], lines[3]]),
        ("its signature is not a minisign signature", lines.prefix(3) + [lines[1]]),
        (
          "its signature has an unknown algorithm",
          [lines[0], "RXg" + lines[1].dropFirst(3)] + lines.dropFirst(2)
        ),
        ("its signature does not match", lines.prefix(2) + [lines[2] + "x", lines[3]]),
      ]
      for (reason, lines) in wrong {
        #expect(throws: OnDemandError.untrusted(reason), "\(lines)") {
          try keys.check(data, signature: Data(lines.joined(separator: "\n").utf8))
        }
      }
    }
  }

  /// Makes a build, a signing key, and a store that trusts the key.
  private func signedSite(at now: Int64? = nil) throws -> (BuiltSite, TestKey, StoreSite) {
    let (built, key) = (try BuiltSite(), TestKey(1))
    var site = try StoreSite(built.path)
    site.options.publicKeys = [key.text]
    if let now { site.options.now = { now } }
    return (built, key, site)
  }

  /// Sets the release number in the index, and signs the index.
  private func sign(
    _ built: BuiltSite, _ key: TestKey, release: Int, expires: String? = nil, bundleIdentifier: String? = nil
  ) throws {
    let data = Data(try built.site.folder.read("out/index.json"))
    var index = try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
    index["release"] = release
    index["expires"] = expires
    index["bundleIdentifier"] = bundleIdentifier ?? index["bundleIdentifier"]
    let text = try JSONSerialization.data(withJSONObject: index, options: .sortedKeys)
    try built.site.folder.write("out/index.json", text)
    try built.site.folder.write("out/index.json.minisig", key.signature(of: text))
  }
}

/// A minisign key pair.
struct TestKey {
  private let id: Data
  private let secret: [UInt8]

  init(_ seed: UInt8) {
    id = Data(repeating: seed, count: 8)
    secret = Array(repeating: seed, count: 32)
  }

  private func withKey<Value>(_ body: (OpaquePointer) -> Value) -> Value {
    let key = EVP_PKEY_new_raw_private_key(EVP_PKEY_ED25519, nil, secret, secret.count)!
    defer { EVP_PKEY_free(key) }
    return body(key)
  }

  /// The public key in the format that `minisign -G` prints.
  var text: String {
    var bytes = [UInt8](repeating: 0, count: 32)
    var count = bytes.count
    _ = withKey { EVP_PKEY_get_raw_public_key($0, &bytes, &count) }
    return (Data("Ed".utf8) + id + Data(bytes)).base64EncodedString()
  }

  private func signed(_ message: Data) -> Data {
    withKey { key in
      let context = EVP_MD_CTX_new()
      defer { EVP_MD_CTX_free(context) }
      var bytes = [UInt8](repeating: 0, count: 64)
      var count = bytes.count
      EVP_DigestSignInit(context, nil, nil, nil, key)
      let message = Array(message)
      EVP_DigestSign(context, &bytes, &count, message, message.count)
      return Data(bytes)
    }
  }

  /// Makes a `.minisig` file.
  func signature(
    of data: Data, isHashed: Bool = false, comment: String = "timestamp:1800000000\tfile:index.json"
  ) -> Data {
    var digest = [UInt8](repeating: 0, count: 64)
    if isHashed {
      let bytes = Array(data)
      EVP_Digest(bytes, bytes.count, &digest, nil, EVP_blake2b512(), nil)
    }
    let signature = signed(isHashed ? Data(digest) : data)
    let first = (Data((isHashed ? "ED" : "Ed").utf8) + id + signature).base64EncodedString()
    let second = signed(signature + Data(comment.utf8)).base64EncodedString()
    return Data("untrusted comment: signature\n\(first)\ntrusted comment: \(comment)\n\(second)\n".utf8)
  }
}
