import Foundation
import FoundationNetworking
import Model
import Pipeline
import System
import Support
import Testing

@testable import OnDemand

/// Tests how a store turns the responses of a server into files.
///
/// The result of a check is visible in the error that it throws, or in the requests that the store sends
/// next.
@Suite(.noHang, .mostlyWaits) struct DownloadTests {
  private let built: BuiltSite
  private let site: StoreSite
  /// The pack that the tests download: its identifier, its path on the server, its bytes and the digest of
  /// the bytes.
  private let id: String, path: String, bytes: Data, digest: String

  init() throws {
    built = try BuiltSite()
    site = try StoreSite(built.path)
    let pack = try built.pack("C", "D")
    (id, path, digest) = (pack.id, pack.archive.path, pack.archive.file.digest.hex)
    bytes = try Data(built.site.folder.read("out/\(path)"))
  }

  /// The purge deletes the bytes of the first download.
  ///
  /// So the second download must start from the beginning.
  @Test func `a pack that is purged while it comes begins again`() async throws {
    let asked = { site.server.requests.filter { FolderServer.path($0) == path } }
    let isCut = Locked(true)
    site.server.bend { [path] asked, answer in
      if asked == path && isCut.withLock({ $0 }) {
        (answer.body, answer.isEndless) = (answer.body.prefix(50), true)
      }
    }
    let store = try await site.updated()
    let first = store.request(for: ["D"])
    let cut = Task { try await first.beginAccessing() }
    let part = URL(fileURLWithPath: site.folder.path("store/partial/\(digest)"))
    try await waitUntil("its first bytes are there") { (try? Data(contentsOf: part).count) == 50 }
    store.names.queue.suspend()
    first.endAccessing()
    _ = try? await cut.value
    store.setSpace(0)
    isCut.withLock { $0 = false }
    store.setSpace(1_000_000)
    let second = store.request(for: ["D"])
    let whole = Task { try await second.beginAccessing() }
    try await waitUntil("it waits for the purge, or is asked for") {
      store.names.waiterCount > 0 || asked().count > 1
    }
    #expect(asked().count == 1)
    store.names.queue.resume()
    try await whole.value
    #expect(asked().count == 2 && asked().last?.value(forHTTPHeaderField: "Range") == nil)
    #expect(try Data(contentsOf: second.url(for: "d")) == Data(built.site.folder.read("Assets/d")))
    await store.close()
  }

  /// Makes the server answer requests for the pack with the given responses, one after another.
  ///
  /// The last response is repeated.
  ///
  /// nil stands for the server's correct response.
  private func answer(_ answers: [FolderServer.Answer?]) {
    let count = Locked(0)
    site.server.bend { [path] asked, answer in
      if asked != path { return }
      let number = count.withLock { count in
        count += 1
        return count
      }
      if let other = answers[min(number, answers.count) - 1] { answer = other }
    }
  }

  /// Downloads the pack with a new store.
  ///
  /// Returns the error, if any, and the requests for the pack.
  private func fetch() async throws -> (error: OnDemandError?, requests: [URLRequest]) {
    let store = try await site.updated()
    let request = store.request(for: ["D"])
    var failure: OnDemandError?
    do {
      try await request.beginAccessing()
      #expect(try Data(contentsOf: store.url(for: "d")) == Data(built.site.folder.read("Assets/d")))
    } catch let error as OnDemandError { failure = error }
    await store.close()
    return (failure, site.server.requests.filter { $0.url?.path == "/\(path)" })
  }

  private func ranges(_ requests: [URLRequest]) -> [String?] {
    requests.map { $0.value(forHTTPHeaderField: "Range") }
  }

  /// Writes a partial download to the place where a store that was killed during the download would leave it.
  private func leave(_ part: Data) async throws {
    // Apply a release first. Without an index, the store would not know which pack the partial download
    // belongs to.
    try await site.updated().close()
    try site.folder.write("store/partial/\(digest)", part)
  }

  private func whole(_ body: Data, _ headers: [String: String] = [:]) -> FolderServer.Answer {
    FolderServer.Answer(status: 200, headers: headers, body: body)
  }

  @Test func `a download asks for what is missing, without a condition`() async throws {
    try await leave(bytes.prefix(50))
    let (error, requests) = try await fetch()
    #expect(error == nil && ranges(requests) == ["bytes=50-"])
    #expect(requests.first?.value(forHTTPHeaderField: "If-Range") == nil)
    #expect(requests.first?.value(forHTTPHeaderField: "Accept-Encoding") == "identity")
    #expect(site.waits.withLock { $0 } == [])
  }

  @Test func `a download that is there is only proved`() async throws {
    try await leave(bytes)
    let (error, requests) = try await fetch()
    #expect(error == nil && requests.isEmpty)
  }

  @Test func `an answer of the whole file replaces what was there`() async throws {
    try await leave(bytes.prefix(50))
    answer([whole(bytes)])
    let (error, requests) = try await fetch()
    #expect(error == nil && requests.count == 1)
  }

  /// The bytes on the disk are not the beginning of the file.
  @Test func `a part that is wrong comes anew, once`() async throws {
    try await leave(Data(repeating: 7, count: 50))
    let (error, requests) = try await fetch()
    #expect(error == nil && ranges(requests) == ["bytes=50-", nil])
  }

  /// The wrong bytes were not the server's mistake.
  ///
  /// So the store still accepts one mistake of the server.
  @Test func `a part that is longer than the file is thrown away`() async throws {
    try await leave(bytes + [7])
    answer([whole(bytes.flipped(at: 60)), nil])
    let (error, requests) = try await fetch()
    #expect(error == nil && ranges(requests) == [nil, nil])
  }

  @Test func `an answer that ends early goes on where it ended`() async throws {
    answer([whole(bytes.prefix(50)), nil])
    let (error, requests) = try await fetch()
    #expect(error == nil && ranges(requests) == [nil, "bytes=50-"])
    #expect(site.waits.withLock { $0 } == [1])
  }

  @Test func `waits double up to a minute, and begin anew where bytes have come`() async throws {
    let nothing = FolderServer.Answer(status: 503, headers: [:], body: Data())
    let some = FolderServer.Answer(
      status: 206, headers: ["Content-Range": "bytes 50-\(bytes.count - 1)/\(bytes.count)"],
      body: bytes.dropFirst(50).prefix(9))
    answer([whole(bytes.prefix(50))] + Array(repeating: nothing, count: 8) + [some, nothing, nil])
    let (error, _) = try await fetch()
    #expect(error == nil)
    #expect(site.waits.withLock { $0 } == [1, 2, 4, 8, 16, 32, 60, 60, 60, 1, 2])
  }

  /// The body has the right size, but one byte is wrong.
  ///
  /// The byte is in a header field that no reader uses.
  @Test func `bytes of another digest are refused`() async throws {
    answer([whole(bytes.flipped(at: 10))])
    let (error, requests) = try await fetch()
    #expect(error == .damaged(pack: id, reason: "its digest does not match the index"))
    #expect(ranges(requests) == [nil, nil])
    #expect(try site.left() == [])
  }

  @Test func `more bytes than the file has are refused as they come`() async throws {
    answer([whole(bytes + Data(count: 3_000_000))])
    let (error, _) = try await fetch()
    #expect(error == .damaged(pack: id, reason: "the server sent more than \(bytes.count) bytes"))
    #expect(try site.left() == [])
  }

  @Test func `another length is refused`() async throws {
    answer([whole(bytes, ["Content-Length": "\(bytes.count + 1)"])])
    let (error, _) = try await fetch()
    let reason = "the server reports a size of \(bytes.count + 1) bytes, not \(bytes.count)"
    #expect(error == .damaged(pack: id, reason: reason))
  }

  @Test func `a length that is no number is passed over`() async throws {
    answer([whole(bytes, ["Content-Length": "many"])])
    #expect(try await fetch().error == nil)
  }

  @Test func `another range is refused`() async throws {
    let size = bytes.count
    let right = "bytes 50-\(size - 1)/\(size)"
    for range in [
      "bytes 49-\(size - 1)/\(size)", "bytes 50-\(size - 1)/\(size + 1)", "50-", "bytes */\(size)", nil,
      "bytes",
      "octets 50-\(size - 1)/\(size)", "bytes 50-\(size - 1)", "bytes 50-\(size - 1)/x", "bytes /\(size)",
    ] {
      try await leave(bytes.prefix(50))
      answer([
        FolderServer.Answer(
          status: 206, headers: range.map { ["Content-Range": $0] } ?? [:], body: bytes.dropFirst(50)),
        FolderServer.Answer(status: 410, headers: [:], body: Data()),
      ])
      // A wrong range counts as damage, so the store requests the whole file next.
      let (error, requests) = try await fetch()
      #expect(error == .refused(pack: id, status: 410), "\(range ?? "none")")
      #expect(ranges(requests).suffix(2) == ["bytes=50-", nil])
    }
    for range in [right, "bytes 50-\(size - 1)/*"] {
      try FileManager.default.removeItem(at: site.url)
      try await leave(bytes.prefix(50))
      answer([
        FolderServer.Answer(status: 206, headers: ["Content-Range": range], body: bytes.dropFirst(50))
      ])
      #expect(try await fetch().error == nil)
    }
  }

  @Test func `a part that nobody asked for is refused`() async throws {
    let range = "bytes 0-\(bytes.count - 1)/\(bytes.count)"
    answer([FolderServer.Answer(status: 206, headers: ["Content-Range": range], body: bytes)])
    let (error, _) = try await fetch()
    #expect(error == .damaged(pack: id, reason: "the server did not continue the download at byte 0"))
  }

  /// The bytes on the disk are not the beginning of the server's file.
  @Test func `a range that the server does not have leads to the whole file`() async throws {
    try await leave(bytes.prefix(50))
    answer([FolderServer.Answer(status: 416, headers: [:], body: Data()), nil])
    let (error, requests) = try await fetch()
    #expect(error == nil && ranges(requests) == ["bytes=50-", nil])
    answer([FolderServer.Answer(status: 416, headers: [:], body: Data())])
    try FileManager.default.removeItem(at: site.url)
    #expect(
      try await fetch().error == .damaged(pack: id, reason: "the server does not have the rest of the file"))
  }

  @Test(arguments: [408, 429, 500, 502, 503, 599])
  func `a server that is busy is asked again`(status: Int) async throws {
    answer([FolderServer.Answer(status: status, headers: [:], body: Data()), nil])
    let (error, requests) = try await fetch()
    #expect(error == nil && requests.count == 2)
    #expect(site.waits.withLock { $0 } == [1])
  }

  @Test(arguments: [201, 204, 301, 304, 400, 403, 404, 407, 409, 410, 428, 430, 451, 499])
  func `a status that no retry can fix is an error`(status: Int) async throws {
    answer([FolderServer.Answer(status: status, headers: [:], body: Data()), nil])
    let (error, requests) = try await fetch()
    #expect(error == .refused(pack: id, status: status) && requests.count == 1)
    #expect(site.waits.withLock { $0 } == [])
  }

  @Test func `one damaged answer is forgiven, and two are not`() async throws {
    let bad = whole(Data(bytes.reversed()))
    answer([bad, nil])
    #expect(try await fetch().error == nil)
    try FileManager.default.removeItem(at: site.url)
    answer([bad, bad, nil])
    #expect(try await fetch().error == .damaged(pack: id, reason: "its digest does not match the index"))
  }

  @Test func `every request has the app's headers, and its own before them`() async throws {
    var site = site
    site.options.headers = ["Authorization": "Bearer x", "Cache-Control": "max-age=9", "Range": "bytes=1-"]
    let store = try await site.updated()
    try await store.request(for: ["D"]).beginAccessing()
    await store.close()
    let requests = site.server.requests
    #expect(requests.count == 2)
    #expect(requests.areAll { $0.value(forHTTPHeaderField: "Authorization") == "Bearer x" })
    #expect(requests.first?.value(forHTTPHeaderField: "Cache-Control") == "no-cache")
    #expect(requests.last?.value(forHTTPHeaderField: "Cache-Control") == "max-age=9")
  }

  @Test func `an index is no longer than a bound`() async throws {
    let store = try await site.open()
    let index = try Data(built.site.folder.read("out/index.json"))
    let limit = Catalog.maxIndexSize
    for (count, error) in [
      (limit + 1, OnDemandError.damaged(pack: nil, reason: "it is larger than \(limit) bytes")), (limit, nil),
    ] {
      site.server.bend { path, answer in
        let padding = Data(repeating: 0x20, count: count - index.count)
        answer = FolderServer.Answer(status: 200, headers: [:], body: index + padding)
      }
      if let error {
        await #expect(throws: error) { try await store.takeUpdate() }
      } else {
        #expect(try await store.takeUpdate() != nil)
      }
    }
    await store.close()
  }

  @Test func `an index that drips for too long is given up`() async throws {
    var site = site
    site.options.patience = -1
    site.options.transferPatience = nil
    let store = try await site.open()
    let late = OnDemandError.unreachable(UnderlyingError(URLError(.timedOut)))
    await #expect(throws: late) { try await store.takeUpdate() }
    #expect(site.server.paths == ["index.json"])
    await store.close()
  }

  @Test func `an index has no more values than memory takes`() async throws {
    let store = try await site.open()
    let text = String(decoding: try built.site.folder.read("out/index.json"), as: UTF8.self)
    func update(_ part: String, count: Int) async throws {
      let index = "{\"more\": [\(String(repeating: part, count: count))0]," + text.dropFirst()
      site.server.bend { _, answer in
        answer = FolderServer.Answer(status: 200, headers: [:], body: Data(index.utf8))
      }
      try await store.takeUpdate()
    }
    try await update("0,", count: 390_000)
    // The store counts commas and opening brackets, because a value can follow each of them.
    for (part, count) in [("0,", 400_000), ("[],", 200_000), ("{},", 200_000)] {
      await #expect(
        throws: OnDemandError.damaged(pack: nil, reason: "it contains more than 400000 JSON values")
      ) {
        try await update(part, count: count)
      }
    }
    await store.close()
  }
}
