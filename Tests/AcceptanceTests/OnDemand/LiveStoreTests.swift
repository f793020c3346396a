import Foundation
import OnDemand
import Support
import Testing

/// Tests the library over real connections, with `packtool serve` and with a hostile server.
@Suite(.mostlyWaits, .serialized, .noHang) struct LiveStoreTests {
  @Test func `packs come from a server and its update by patches`() async throws {
    let folder = try TemporaryFolder()
    let (store, server) = try await update(in: folder)
    defer { server.end() }
    let request = store.request(for: ["Level 1", "Level 2"])
    try await request.beginAccessing()
    let path = "Levels/2/dialogue.json"
    let data = try Data(contentsOf: store.url(for: path))
    let assets = "\(packageFolder)/Examples/LevelUpdate/1.1/Assets"
    #expect(try data == Data(contentsOf: URL(fileURLWithPath: "\(assets)/\(path)")))
    request.endAccessing()
    await store.close()
    // The server may log a response after the client has received all bytes. The last line is written when
    // the server ends.
    server.end()
    let log = String(decoding: try folder.read("1.1.jsonl"), as: UTF8.self)
    #expect(log.contains("GET /patches/") && !log.contains("GET /packs/"), "\(log)")
  }

  /// Returns a store that contains the first release and that next reads the index of the second release.
  private func update(in folder: TemporaryFolder) async throws -> (PackStore, RunningServer) {
    let example = "\(packageFolder)/Examples/LevelUpdate"
    let (old, new) = (folder.path("1.0"), folder.path("1.1"))
    for words in [["\(example)/1.0", "-o", old], ["\(example)/1.1", "-o", new, "--patch-from", old]] {
      #expect(try run(packtoolProgram(), ["build"] + words).status == 0)
    }
    let place = URL(fileURLWithPath: folder.path("store"))
    let first = try RunningServer([old, "--port", "0"], in: folder)
    var options = PackStore.Options()
    // On a busy machine, the server may respond late.
    options.patience = 3600
    let store = try await PackStore.open(at: place, server: #require(URL(string: first.url)), options)
    try await store.install().wait()
    let request = store.request(for: ["Level 1", "Level 2"])
    try await request.beginAccessing()
    await store.close()
    first.end()
    let second = try RunningServer([new, "--port", "0", "--log", folder.path("1.1.jsonl")], in: folder)
    let again = try await PackStore.open(at: place, server: #require(URL(string: second.url)), options)
    let update = try #require(try await again.checkForUpdate())
    #expect(update.changedTags == ["Level 1", "Level 2"])
    try await update.apply(.immediately)
    return (again, second)
  }

  /// Opens each store in a separate process.
  ///
  /// Some responses occupy the thread of all sessions of a process.
  @Test(arguments: HostileServer.kinds) func `no answer harms`(kind: String) async throws {
    let folder = try TemporaryFolder()
    let server = try await HostileServer(in: folder)
    await #expect(processExitsWith: .success) {
      [path = folder.path("store") as String, url = "\(server.url)/\(kind)" as String] in
      let server = try #require(URL(string: url))
      let store = try await PackStore.open(at: URL(fileURLWithPath: path), server: server)
      await #expect(throws: OnDemandError.self) { try await store.checkForUpdate() }
      await store.close()
    }
  }

  @Test func `two processes take turns in one store`() throws {
    let folder = try TemporaryFolder()
    let example = "\(packageFolder)/Examples/LevelUpdate/1.0"
    #expect(try run(packtoolProgram(), ["build", example, "-o", folder.path("out")]).status == 0)
    let server = try RunningServer([folder.path("out"), "--port", "0"], in: folder)
    defer { server.end() }
    // The first process holds the folder until it is killed. A process that waits then gets the folder.
    let commands = """
      mkfifo input
      "$1" store "$2" update "Level 1" wait < input > first & first=$!
      exec 3> input
      while ! grep -q begun first; do sleep 0.05; done
      "$1" store "$2" "Level 1" || echo "second ended with $?"
      ONDEMAND_WAITS=1 "$1" store "$2" "Level 1" > third & third=$!
      sleep 0.5
      grep -q opened third && echo "two stores are open"
      kill -9 $first
      wait $third
      cat third
      """
    let words = ["-c", commands, "sh", try builtProduct("OnDemandDriver"), server.url]
    let result = try run("sh", words, in: folder.path)
    #expect(result.status == 0, "\(result.errors)")
    let lines = result.output.split(separator: "\n")
    #expect(lines.first == "error open the folder is in use by another process", "\(result.output)")
    #expect(lines.dropFirst().first == "second ended with 1", "\(result.output)")
    #expect(lines.dropFirst(2).first?.hasPrefix("opened") == true, "\(result.output)")
    #expect(lines.contains("begun Level 1") && !lines.contains("two stores are open"), "\(result.output)")
  }

  @Test func `a store that is killed is whole`() throws {
    let words = [try builtProduct("OnDemandDriver"), try packtoolProgram(), "--kills", "40"]
    let result = try run("\(packageFolder)/Tests/Faults/stores", words)
    #expect(result.status == 0, "\(result.output) \(result.errors)")
  }
}

/// A Python server that sends responses that no honest server would send.
private final class HostileServer {
  static let kinds = [
    "redirect", "endless-redirect", "endless", "interim", "headers", "junk", "login", "length", "bomb",
  ]
  let url: String
  private let process: TestProcess

  init(in folder: TemporaryFolder) async throws {
    process = try TestProcess(
      pythonProgram, ["-u", "\(packageFolder)/Tests/Faults/hostile-server"], output: folder.path("url"))
    try await waitUntil("the server prints its URL") { try folder.read("url").last == UInt8(ascii: "\n") }
    url = String(decoding: try folder.read("url"), as: UTF8.self)
      .trimmingCharacters(in: .whitespacesAndNewlines)
  }
}
