import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Gets files of the server into the store's folder, each proved by its digest.
extension PackStore {
  private func get(_ path: String, _ headers: [String: String], into taker: AnswerTaker) async throws {
    var request = URLRequest(url: server.appendingPathComponent(path))
    request.allHTTPHeaderFields = self.headers.merging(headers) { $1 }
    try await surroundings.transport(request, taker)
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

  /// The pack's files in a folder that is to be made, by its patch if it has one, else by its archive.
  ///
  /// `progress` is told the bytes that are there.
  func fetch(
    _ pack: Catalog.Pack, into staged: URL, _ progress: @escaping @Sendable (Int64) -> Void
  ) async throws {
    let file = pack.files[0]
    let name = file.path.split(separator: "/").last ?? ""
    if !name.hasSuffix(".zip") {
      let mark = name.range(of: ".tar.")?.lowerBound
      throw OnDemandError.unsupportedContainer(
        pack: pack.id, container: mark.map { String(name[$0...].dropFirst()) } ?? "folder")
    }
    let place = folder.download(file.digest.hex)
    do {
      try await download(file, to: place, progress)
      #if Patches
        if pack.patch != nil { return try applyPatch(place, pack, folder.filesByDigest(), into: staged) }
      #endif
      try PackMaker.unpack(place, pack, into: staged)
    } catch OnDemandError.damaged(_, let reason) {
      folder.remove(download: file.digest.hex)
      throw wrong(reason)
    }
  }

  /// A whole file, of which what came before is not asked for again.
  private func download(
    _ file: PublishedFile, to place: URL, _ progress: @escaping @Sendable (Int64) -> Void
  ) async throws {
    let writer = try FileWriter(place, goesOn: true)
    if writer.size > file.size { try writer.restart() }
    progress(writer.size)
    if writer.size < file.size {
      var headers = ["Accept-Encoding": "identity"]
      if writer.size > 0 {
        headers["Range"] = "bytes=\(writer.size)-"
        headers["If-Range"] = "\"\(file.digest.hex)\""
      }
      defer { progress(writer.size) }
      let taker = AnswerTaker {
        try writer.begin($0, file)
      } take: { part in
        let before = writer.size
        if before + Int64(part.count) > file.size {
          throw wrong("its server sent more than \(file.size) bytes")
        }
        try writer.write(part)
        if writer.size >> 17 > before >> 17 { progress(writer.size) }
      }
      try await get(file.path, headers, into: taker)
      if writer.size < file.size { throw URLError(.networkConnectionLost) }
    }
    if try writer.finish() != file.digest.hex { throw wrong("its digest is another one") }
  }
}

extension FileWriter {
  /// Looks whether an answer goes on with a file, or begins it anew.
  fileprivate func begin(_ answer: HTTPURLResponse, _ file: PublishedFile) throws {
    switch answer.statusCode {
    case 206:
      let range = "bytes \(size)-\(file.size - 1)/\(file.size)"
      if size == 0 || answer.value(forHTTPHeaderField: "Content-Range") != range {
        throw wrong("its server sent another range than \(range)")
      }
    case 200:
      let length = answer.value(forHTTPHeaderField: "Content-Length").flatMap { Int64($0) }
      if let length, length != file.size {
        throw wrong("its server says that it has \(length) bytes, not \(file.size)")
      }
      try restart()
    case 416: throw wrong("its server has no such range")
    default: throw refusal(answer.statusCode)
    }
  }
}

private func refusal(_ status: Int) -> any Error {
  let isBusy = status == 408 || status == 429 || status >= 500
  return isBusy ? URLError(.badServerResponse) : OnDemandError.refused(pack: nil, status: status)
}
