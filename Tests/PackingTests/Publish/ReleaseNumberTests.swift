@testable import Formats
@testable import Model
@testable import Packing
@testable import Pipeline
@testable import System
import Foundation
import Support
import Testing

/// Tests the numbers of signed releases, at the limits of what is accepted.
@Suite struct ReleaseNumberTests {
  /// A key that `minisign -G -W` made.
  static let key = """
    untrusted comment: minisign encrypted secret key
    RWQAAEIyAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAYYUXU/5wM4YgFXkgutshaXvuBmImoXJMlSiKXczfWn7ArgLzgxpn1lxR3LP6Dx448TkaqUnySns4XchEbBCpJsKlkkAU2d36AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=
    """

  private let site: ScanSite

  init() throws {
    site = try ScanSite("a/1")
    _ = try site.manifest([.path("a", "A")])
  }

  private func signing(_ number: Int64? = nil, expires: String? = nil) throws -> Signing {
    Signing(try SecretKey(Self.key, password: nil), number: number, expiryText: expires)
  }

  /// Builds a signed release with this number.
  private func build(_ number: Int64, into output: String) throws {
    var request = site.request(into: output)
    request.signing = try signing(number)
    try #require(try request.run(Policy()).release?.edition?.number == number)
  }

  private func output(_ path: String = "out") -> OutputFolder { OutputFolder(site.folder.path(path)) }

  /// The release of a plan with these files, without archives.
  private func release(_ path: String) throws -> Release {
    Release(of: try makePlan([PlannedFile(path, ["A"])]))
  }

  /// Returns the number of a new release in a folder; nil if it is refused.
  private func number(_ signing: Signing, in path: String = "out") throws -> Int64? {
    do {
      return try signing.numbered(release("new"), in: output(path)).edition?.number
    } catch let refusal as Refusal {
      #expect(refusal.diagnostic.check == .staleRelease)
      return nil
    }
  }

  @Test func `a new release gets the next number, or a higher one`() throws {
    #expect(try number(signing()) == 1 && number(signing(1)) == 1 && number(signing(0)) == nil)
    #expect(try number(signing(ByteSize.largestExact)) == ByteSize.largestExact)
    #expect(try number(signing(ByteSize.largestExact + 1)) == nil)
    try build(7, into: "out")
    #expect(try number(signing()) == 8 && number(signing(8)) == 8)
    #expect(try number(signing(7)) == nil && number(signing(6)) == nil)
    try build(ByteSize.largestExact, into: "last")
    #expect(try number(signing(), in: "last") == nil)
  }

  /// The same release has the same number and the same expiry.
  @Test func `a release that is published keeps its number`() throws {
    try build(7, into: "out")
    let request = site.request(into: "out")
    func again(_ signing: Signing) throws -> BuildResult {
      var request = request
      request.signing = signing
      return try request.run(Policy())
    }
    #expect(try again(signing()).isUnchanged && again(signing(7)).isUnchanged)
    #expect(try again(signing(6)).release == nil)
    let later = try again(signing(expires: "2031-01-01"))
    #expect(later.release?.edition?.number == 8 && later.release?.edition?.expiryText == "2031-01-01")
    // If the index is gone, the signature still shows the number of the release.
    try build(9, into: "other")
    try FileOperations.removeFile(site.folder.path("other/index.json"))
    #expect(try number(signing(), in: "other") == 10)
  }

  private func findings(_ signing: Signing?, in path: String = "out") throws -> [Check] {
    try output(path).findings(replacedBy: signing).map(\.check)
  }

  @Test func `a number that is not higher is reported before the build`() throws {
    #expect(try findings(nil) == [] && findings(signing()) == [] && findings(signing(1)) == [])
    #expect(try findings(signing(0)) == [.staleRelease])
    try build(7, into: "out")
    #expect(try findings(nil) == [.unsignedRelease] && findings(signing()) == [])
    #expect(try findings(signing(6)) == [.staleRelease] && findings(signing(7)) == [])
    #expect(try findings(signing(8)) == [])
    #expect(
      try OutputFolder(site.folder.path("out"), layout: .xcode).findings(replacedBy: nil).isEmpty)
    try FileOperations.removeFile(site.folder.path("out/index.json.minisig"))
    #expect(try findings(nil) == [] && findings(signing()) == [.doubtfulReleaseNumber])
    #expect(try findings(signing(8)) == [])
  }

  @Test func `numbers of earlier releases may differ by a million`() throws {
    try build(5, into: "old")
    let old = try BuiltFolder(site.folder.path("old"))
    for (number, expected) in [(1_000_005, []), (1_000_006, [Check.doubtfulReleaseNumber])]
      as [(Int64, [Check])]
    {
      try FileOperations.remove(site.folder.path("out"))
      try build(number, into: "out")
      var next = try signing()
      try next.raiseNumber(above: old.index, ifSignedAt: old.indexPath)
      #expect(try findings(next) == expected)
      #expect(try self.number(next) == number + 1)
      // With only one of the releases, there is no difference.
      #expect(try findings(signing()) == [] && findings(next, in: "none") == [])
    }
  }

  @Test func `the number of an earlier release counts if it is signed`() throws {
    try build(5, into: "old")
    let old = try BuiltFolder(site.folder.path("old"))
    var next = try signing()
    try next.raiseNumber(above: nil, ifSignedAt: old.indexPath)
    #expect(try number(next) == 1)
    try next.raiseNumber(above: old.index, ifSignedAt: old.indexPath)
    #expect(try number(next) == 6 && findings(next) == [])
    try build(3, into: "out")
    #expect(try number(next) == 6)
    try build(9, into: "other")
    #expect(try number(next, in: "other") == 10)
    // A number below that of the earlier release is refused, even if it is that of the folder.
    var stale = try signing(3)
    try stale.raiseNumber(above: old.index, ifSignedAt: old.indexPath)
    #expect(try findings(stale) == [.staleRelease] && number(stale) == nil)
    var equal = try signing(5)
    try equal.raiseNumber(above: old.index, ifSignedAt: old.indexPath)
    #expect(try findings(equal) == [.staleRelease])
    try FileOperations.removeFile(site.folder.path("old/index.json.minisig"))
    var unproven = try signing()
    try unproven.raiseNumber(above: old.index, ifSignedAt: old.indexPath)
    #expect(try number(unproven, in: "none") == 1)
    #expect(try findings(unproven, in: "none") == [.doubtfulReleaseNumber])
  }
}
