import Foundation
import FoundationNetworking
import Support
import Testing

@testable import OnDemand

/// Tests when a store waits until its changes are on the disk.
///
/// A pack gets its name only after its files are synced. After that, the name is synced.
@Suite(.noHang, .mostlyWaits) struct DiskOrderTests {
  /// Records the calls that wait for the disk, in order.
  ///
  /// Each call is recorded together with the state of the store's folder at that time.
  private final class Recorder: Sendable {
    struct Call: Equatable {
      let name: String
      /// The path below the store's folder.
      ///
      /// A path in the `staging` folder is shortened to `staging`, because the rest of it is random.
      let path: String
      /// The number of packs that were at their final places.
      let packs: Int
      let hasCatalog: Bool
      let hasIndex: Bool
      /// The number of files in the store's `staging` folder.
      let staged: Int
    }

    private let top: String
    private let seen = Locked<[Call]>([])
    private let failing = Locked("")

    init(_ top: String) { self.top = top }

    var calls: [Call] { seen.withLock { $0 } }
    func fail(_ name: String) { failing.withLock { $0 = name } }

    func note(_ name: String, _ url: URL) throws {
      let path = url.standardizedFileURL.path.dropFirst(top.utf8.count + 1)
      let files = try FileManager.default.subpathsOfDirectory(atPath: top)
      let call = Call(
        name: name, path: path.hasPrefix("staging/") ? "staging" : String(path),
        packs: files.count { $0.hasPrefix("packs/") && $0.count { $0 == "/" } == 1 },
        hasCatalog: files.contains("catalog"), hasIndex: files.contains("index"),
        staged: files.count { $0.hasPrefix("staging/") && ($0.hasSuffix("/d") || $0.hasSuffix("/list")) })
      seen.withLock { $0.append(call) }
      if failing.withLock({ $0 == name }) { throw POSIXError(.EIO) }
    }

    func disk(hasFileSystem: Bool) -> Disk {
      var disk = Disk()
      disk.syncFileSystem = nil
      if hasFileSystem { disk.syncFileSystem = { try self.note("all", $0) } }
      disk.syncNames = { try self.note("names", $0) }
      disk.syncFile = { try self.note("file", $0) }
      return disk
    }
  }

  private let built: BuiltSite
  private let site: StoreSite
  private let recorder: Recorder

  init() throws {
    built = try BuiltSite()
    var site = try StoreSite(built.path)
    recorder = Recorder(site.url.standardizedFileURL.path)
    site.options.disk = recorder.disk(hasFileSystem: true)
    self.site = site
  }

  private func call(
    _ name: String, _ path: String, packs: Int = 0, hasCatalog: Bool = true, staged: Int = 0
  ) -> Recorder.Call {
    Recorder.Call(
      name: name, path: path, packs: packs, hasCatalog: hasCatalog, hasIndex: hasCatalog, staged: staged)
  }

  @Test func `a release and a pack are on the disk before and after they have their names`() async throws {
    let store = try await site.updated()
    #expect(recorder.calls == [call("names", "")])
    try await store.begin(["D"]).endAccessing()
    await store.close()
    #expect(
      recorder.calls.dropFirst() == [call("all", "staging", staged: 2), call("names", "packs", packs: 1)])
  }

  @Test func `a store that is closed has the names of its packs on the disk`() async throws {
    var rules = site
    let isSynced = Locked(false)
    var disk = recorder.disk(hasFileSystem: true)
    disk.syncNames = { folder in
      if folder.lastPathComponent != "packs" { return }
      Thread.sleep(forTimeInterval: 0.3)
      isSynced.withLock { $0 = true }
    }
    rules.options.disk = disk
    let store = try await rules.updated()
    try await store.begin(["D"]).endAccessing()
    await store.close()
    #expect(isSynced.withLock { $0 })
  }

  @Test func `a pack that is taken away is gone from the disk before its files are`() async throws {
    let store = try await site.updated()
    try await store.begin(["D"]).endAccessing()
    let before = recorder.calls.count
    #expect(await store.remove(["C", "D"]) > 0)
    #expect(recorder.calls.dropFirst(before) == [call("names", "packs", staged: 2)])
    try await site.settle()
    await store.close()
  }

  @Test func `a pack that the disk does not take is not put in its place`() async throws {
    let store = try await site.updated()
    var rules = site
    recorder.fail("all")
    // The store then calls the disk for each file, and these calls fail as well.
    rules.options = site.options
    recorder.fail("file")
    let disk = recorder.disk(hasFileSystem: false)
    await store.close()
    rules.options.disk = disk
    let other = try await rules.open()
    let error = OnDemandError.storage(UnderlyingError(POSIXError(.EIO)))
    await #expect(throws: error) { try await other.begin(["D"]) }
    #expect(try site.packs() == [])
    await other.close()
  }

  @Test func `a release that the disk does not take is not the current one`() async throws {
    let store = try await site.open()
    recorder.fail("names")
    let error = OnDemandError.storage(UnderlyingError(POSIXError(.EIO)))
    await #expect(throws: error) { try await store.takeUpdate() }
    #expect(store.release == nil)
    await store.close()
  }

  /// The system has no call that syncs a whole file system, or it rejects this call.
  @Test(arguments: [true, false]) func `each file and folder is on the disk before its pack`(isRefused: Bool)
    throws
  {
    let folder = try TemporaryFolder()
    try folder.write("a/b/c", "1")
    try folder.write("d", "2")
    let calls = Locked<[String]>([])
    var disk = Disk()
    let note: @Sendable (String, URL) -> Void = { name, url in
      calls.withLock {
        $0.append("\(name) \(url.standardizedFileURL.path.dropFirst(folder.path.utf8.count))")
      }
    }
    disk.syncFileSystem = nil
    if isRefused {
      disk.syncFileSystem = {
        note("all", $0)
        throw POSIXError(.EPERM)
      }
    }
    disk.syncNames = { note("names", $0) }
    disk.syncFile = { note("file", $0) }
    try disk.syncAll(in: URL(fileURLWithPath: folder.path))
    let all = calls.withLock { $0 }
    #expect(all.last == "names ")
    let each = ["file /a/b/c", "file /d", "names ", "names /a", "names /a/b"]
    #expect(all.sorted() == (isRefused ? ["all "] : []) + each)
    // Test the calls themselves. A call for an existing path succeeds, and a call for a missing path fails.
    try Disk().syncAll(in: URL(fileURLWithPath: folder.path))
    let real = Disk()
    try real.syncNames(URL(fileURLWithPath: folder.path))
    try real.syncFile(URL(fileURLWithPath: folder.path("d")))
    let missing = URL(fileURLWithPath: folder.path("none"))
    #expect(throws: POSIXError(.ENOENT)) { try real.syncNames(missing) }
    #expect(throws: CocoaError.self) { try real.syncFile(missing) }
    // A device has no names to sync.
    let device = URL(fileURLWithPath: "/dev/null")
    #expect(throws: POSIXError(.EINVAL)) { try real.syncNames(device) }
    for code in [POSIXError.ENOSPC, .EDQUOT] { #expect(Disk.isFull(POSIXError(code))) }
    #expect(Disk.isFull(CocoaError(.fileWriteOutOfSpace)) && !Disk.isFull(POSIXError(.EIO)))
    let inside = CocoaError(.fileWriteUnknown, userInfo: [NSUnderlyingErrorKey: POSIXError(.ENOSPC)])
    #expect(Disk.isFull(inside) && !Disk.isFull(CocoaError(.fileWriteUnknown)))
  }
}
