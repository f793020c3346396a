import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Gets files of a server into the store's folder, each proved by its digest.
struct Fetcher: Sendable {
  let server: URL
  let headers: [String: String]
  let transport: any Transport
  let folder: StoreFolder
  /// Seconds within which an index has to come.
  let patience: Double

  private func request(_ path: String, _ more: [String: String]) -> URLRequest {
    var request = URLRequest(url: server.appendingPathComponent(path))
    request.allHTTPHeaderFields = headers.merging(more) { $1 }
    return request
  }

  func data(_ path: String, atMost most: Int) async throws -> Data {
    let data = Locked(Data())
    let taker = AnswerTaker { answer in
      if answer.statusCode != 200 { throw TransferFailure(status: answer.statusCode) }
    } take: { part in
      try data.withLock { data in
        if data.count + part.count > most { throw TransferFailure.wrong("it has more than \(most) bytes") }
        data.append(part)
      }
    }
    let request = request(path, ["Cache-Control": "no-cache"])
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask { try await transport.get(request, into: taker) }
      // Bytes that drip in, each within patience, would otherwise never end.
      group.addTask {
        try await Task.sleep(nanoseconds: UInt64(patience * 1_000_000_000))
        throw TransferFailure.passing
      }
      defer { group.cancelAll() }
      try await group.next()
    }
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
    let download = try await download(file, progress)
    let staged = try folder.stagingFolder()
    do {
      try await offPool { check in
        #if Patches
          if pack.patch != nil {
            return try applyPatch(download, pack, folder.filesByDigest(), into: staged, check)
          }
        #endif
        try PackMaker.unpack(download, pack, into: staged, check)
      }
    } catch {
      try? FileManager.default.removeItem(at: staged)
      // Two paths that are one to this disk, or a file that is also a folder.
      let isTwice = (error as? CocoaError)?.code == .fileWriteFileExists
      let error = isTwice ? TransferFailure.wrong("two of its paths are one") : error
      if case .wrong = error as? TransferFailure { folder.remove(download: file.digest.hex) }
      throw error
    }
    return staged
  }

  /// A whole file, of which what came before is not asked for again.
  private func download(
    _ file: PublishedFile, _ progress: @escaping @Sendable (Int64) -> Void
  ) async throws -> URL {
    let place = folder.download(file.digest.hex)
    if folder.size(of: place) > file.size { folder.remove(download: file.digest.hex) }
    let taker = try await offPool { _ in try FileTaker(file, at: place, progress) }
    do {
      if taker.received < file.size {
        var headers = ["Accept-Encoding": "identity"]
        if taker.received > 0 {
          headers["Range"] = "bytes=\(taker.received)-"
          headers["If-Range"] = "\"\(file.digest.hex)\""
        }
        defer { taker.report() }
        let answers = AnswerTaker(begin: taker.begin, take: taker.take)
        try await transport.get(request(file.path, headers), into: answers)
        if taker.received < file.size { throw TransferFailure.passing }
      }
      if taker.digest.hex() != file.digest.hex { throw TransferFailure.wrong("its digest is another one") }
    } catch {
      if case .wrong = error as? TransferFailure { folder.remove(download: file.digest.hex) }
      throw error
    }
    return place
  }
}

/// Does work that blocks on a thread that may; what it calls now and then throws once nobody wants the work any more.
private func offPool<Value: Sendable>(
  _ body: @escaping @Sendable (_ check: @Sendable () throws -> Void) throws -> Value
) async throws -> Value {
  let isCancelled = Locked(false)
  return try await withTaskCancellationHandler {
    try await withCheckedThrowingContinuation { continuation in
      DispatchQueue.global().async {
        continuation.resume(
          with: Result { try body { if isCancelled.withLock({ $0 }) { throw CancellationError() } } })
      }
    }
  } onCancel: {
    isCancelled.withLock { $0 = true }
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
    if !FileManager.default.fileExists(atPath: place.path) { try Data().write(to: place) }
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
        throw TransferFailure.wrong("its server sent another range than \(range)")
      }
    case 200:
      if let length, length != file.size {
        throw TransferFailure.wrong("its server says that it has \(length) bytes, not \(file.size)")
      }
      try handle.truncate(atOffset: 0)
      (received, digest) = (0, SHA256Digest())
    case 416: throw TransferFailure.wrong("its server has no such range")
    default: throw TransferFailure(status: answer.statusCode)
    }
  }

  func take(_ data: Data) throws {
    if received + Int64(data.count) > file.size {
      throw TransferFailure.wrong("its server sent more than \(file.size) bytes")
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

extension TransferFailure {
  fileprivate init(status: Int) {
    let isPassing = status == 408 || status == 429 || status >= 500
    self = isPassing ? .passing : .refused(status: status)
  }
}
