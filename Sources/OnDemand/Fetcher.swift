import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Gets files of the server into the store's folder, each proved by its digest.
extension PackStore {
  private func get(_ path: String, _ headers: [String: String], into taker: AnswerTaker) async throws {
    var request = URLRequest(url: server.appendingPathComponent(path))
    request.allHTTPHeaderFields = self.headers.merging(headers) { $1 }
    try await surroundings.transport.get(request, into: taker)
  }

  func data(_ path: String, atMost most: Int) async throws -> Data {
    let data = Locked(Data())
    // Bytes that drip in, each within the session's patience, would otherwise never end.
    let end = Date(timeIntervalSinceNow: surroundings.patience)
    let taker = AnswerTaker { answer in
      if answer.statusCode != 200 { throw refusal(answer.statusCode) }
    } take: { part in
      if Date() > end { throw URLError(.networkConnectionLost) }
      try data.withLock { data in
        if data.count + part.count > most { throw wrong("it has more than \(most) bytes") }
        data.append(part)
      }
    }
    try await get(path, ["Cache-Control": "no-cache"], into: taker)
    return data.withLock { $0 }
  }

  /// The pack's files in a new folder, by its patch if it has one, else by its archive.
  ///
  /// `progress` is told the bytes that are there.
  func fetch(
    _ pack: Catalog.Pack, _ progress: @escaping @Sendable (Int64) -> Void
  ) async throws -> URL {
    let file = pack.files[0]
    let name = file.path.split(separator: "/").last ?? ""
    if !name.hasSuffix(".zip") {
      let mark = name.range(of: ".tar.")?.lowerBound
      throw OnDemandError.unsupportedContainer(
        pack: pack.id, container: mark.map { String(name[$0...].dropFirst()) } ?? "folder")
    }
    do {
      return try unpacked(try await download(file, progress), pack)
    } catch {
      if case .damaged = error as? OnDemandError { folder.remove(download: file.digest.hex) }
      throw error
    }
  }

  private func unpacked(_ file: URL, _ pack: Catalog.Pack) throws -> URL {
    let staged = try folder.stagingFolder()
    do {
      #if Patches
        if pack.patch != nil {
          try applyPatch(file, pack, folder.filesByDigest(), into: staged)
          return staged
        }
      #endif
      try PackMaker.unpack(file, pack, into: staged)
      return staged
    } catch {
      try? FileManager.default.removeItem(at: staged)
      // Two paths that are one to this disk, or a file that is also a folder.
      let isTwice = (error as? CocoaError)?.code == .fileWriteFileExists
      throw isTwice ? wrong("two of its paths are one") : error
    }
  }

  /// A whole file, of which what came before is not asked for again.
  private func download(
    _ file: PublishedFile, _ progress: @escaping @Sendable (Int64) -> Void
  ) async throws -> URL {
    let place = folder.download(file.digest.hex)
    if folder.size(of: place) > file.size { folder.remove(download: file.digest.hex) }
    let taker = try FileTaker(file, at: place, progress)
    if taker.received < file.size {
      var headers = ["Accept-Encoding": "identity"]
      if taker.received > 0 {
        headers["Range"] = "bytes=\(taker.received)-"
        headers["If-Range"] = "\"\(file.digest.hex)\""
      }
      defer { taker.report() }
      try await get(file.path, headers, into: AnswerTaker(begin: taker.begin, take: taker.take))
      if taker.received < file.size { throw URLError(.networkConnectionLost) }
    }
    if taker.digest.hex() != file.digest.hex { throw wrong("its digest is another one") }
    return place
  }
}

/// An answer that goes on with a file.
private final class FileTaker: @unchecked Sendable {
  private let file: PublishedFile
  private let handle: FileHandle
  private let progress: @Sendable (Int64) -> Void
  private(set) var digest = SHA256Digest()
  private var reported: Int64 = 0
  private(set) var received: Int64 = 0

  init(_ file: PublishedFile, at place: URL, _ progress: @escaping @Sendable (Int64) -> Void) throws {
    (self.file, self.progress) = (file, progress)
    try? Data().write(to: place, options: .withoutOverwriting)
    handle = try FileHandle(forUpdating: place)
    while let data = try handle.read(upToCount: 1 << 18), !data.isEmpty {
      digest.update(data)
      received += Int64(data.count)
    }
    report()
  }

  func begin(_ answer: HTTPURLResponse) throws {
    let length = answer.value(forHTTPHeaderField: "Content-Length").flatMap { Int64($0) }
    switch answer.statusCode {
    case 206:
      let range = "bytes \(received)-\(file.size - 1)/\(file.size)"
      if received == 0 || answer.value(forHTTPHeaderField: "Content-Range") != range {
        throw wrong("its server sent another range than \(range)")
      }
    case 200:
      if let length, length != file.size {
        throw wrong("its server says that it has \(length) bytes, not \(file.size)")
      }
      try handle.truncate(atOffset: 0)
      (received, digest) = (0, SHA256Digest())
    case 416: throw wrong("its server has no such range")
    default: throw refusal(answer.statusCode)
    }
  }

  func take(_ data: Data) throws {
    if received + Int64(data.count) > file.size {
      throw wrong("its server sent more than \(file.size) bytes")
    }
    try handle.write(contentsOf: data)
    digest.update(data)
    received += Int64(data.count)
    if received - reported >= 1 << 17 { report() }
  }

  func report() {
    reported = received
    progress(received)
  }
}

private func refusal(_ status: Int) -> any Error {
  let isBusy = status == 408 || status == 429 || status >= 500
  return isBusy ? URLError(.badServerResponse) : OnDemandError.refused(pack: nil, status: status)
}
