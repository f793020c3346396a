import Foundation
import OnDemand

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

// Plays a scenario of packtool's simulation with OnDemand against a real server:
//
//   packtool serve packs --link 3G --port 8080 &
//   packtool simulate scenario.json packs --link 3G --format json > simulated.json
//   Player scenario.json http://127.0.0.1:8080/ [--simulated simulated.json] [--folder packs] [--json measured.json]

/// The result as JSON, in the form of a simulation's.
struct Result: Encodable {
  struct Summary: Encodable {
    let installed: Int64?
    let stalls: Int
    let stalled: Int64
    let errors: Int
  }
  let steps: [Player.Played]
  let requests: [Player.Request]
  let summary: Summary
}

/// What the gauge shows of `index.json`, which OnDemand reads by itself.
struct Index: Decodable {
  struct Tag: Decodable { let size: Int64 }
  let tags: [String: Tag]
}

/// Puts another release in the place of the one that is served: its index last, as a build does.
func publish(_ release: URL, in folder: URL) throws {
  let files = FileManager.default
  for name in try files.subpathsOfDirectory(atPath: release.path).filter({ !$0.hasPrefix(".packtool") }).sorted() {
    let (source, target) = (release.appendingPathComponent(name), folder.appendingPathComponent(name))
    var isFolder: ObjCBool = false
    _ = files.fileExists(atPath: source.path, isDirectory: &isFolder)
    if isFolder.boolValue {
      try files.createDirectory(at: target, withIntermediateDirectories: true)
    } else if name != "index.json", !files.fileExists(atPath: target.path) {
      try files.copyItem(at: source, to: target)
    }
  }
  let index = try Data(contentsOf: release.appendingPathComponent("index.json"))
  try index.write(to: folder.appendingPathComponent("index.json"), options: .atomic)
}

/// The words of the command line that are no flags, and the values of flags by their names.
func arguments(_ words: [String]) -> (rest: [String], flags: [String: String]) {
  var (rest, flags, words) = ([String](), [String: String](), words[...])
  while let word = words.popFirst() {
    if word.hasPrefix("--") { flags[word] = words.popFirst() } else { rest.append(word) }
  }
  return (rest, flags)
}

func run(_ words: ArraySlice<String>) async throws {
  let (rest, flags) = arguments(Array(words))
  guard rest.count == 2, let server = URL(string: rest[1]) else {
    throw PlayerError("usage: Player SCENARIO URL [--simulated FILE] [--folder DIR] [--store DIR] [--connections N] [--json FILE]")
  }
  let file = URL(fileURLWithPath: rest[0])
  let scenario = try JSONDecoder().decode(Scenario.self, from: Data(contentsOf: file))
  let simulated = try flags["--simulated"].map { path in
    try JSONDecoder().decode(Simulated.self, from: Data(contentsOf: URL(fileURLWithPath: path)))
  }
  var options = PackStore.Options()
  options.space = scenario.device?.space?.bytes
  if let inUse = scenario.device?.inUse { options.inUse = inUse.bytes }
  let chosen = flags["--store"].map { URL(fileURLWithPath: $0) }
  let folder = chosen ?? FileManager.default.temporaryDirectory.appendingPathComponent("player-\(UUID())")
  // As in a simulation, where it is 1 unless the scenario has another number.
  options.connections = flags["--connections"].flatMap { Int($0) } ?? scenario.connections ?? 1
  let network = LossyTransport()
  options.transport = network
  // As in a simulation, where only an await ends for want of bytes.
  options.patience = 86_400
  let patience = try microseconds(scenario.patience ?? "30 s")
  let store = try await PackStore.open(at: folder, server: server, options)
  try await store.checkForUpdate()?.apply()
  let index = try await URLSession.shared.data(from: server.appendingPathComponent("index.json")).0
  let sizes = try JSONDecoder().decode(Index.self, from: index).tags.mapValues(\.size)
  // Its clock starts here.
  let player = Player(store, network: network, patience: patience) { [options] in
    try await PackStore.open(at: folder, server: server, options)
  } publish: { release in
    guard let served = flags["--folder"] else {
      throw PlayerError("to play an update, name the folder that is served: --folder DIR")
    }
    let release = URL(fileURLWithPath: release, relativeTo: file.deletingLastPathComponent())
    try publish(release, in: URL(fileURLWithPath: served))
  }
  let screen = Task {
    var gauge = Gauge(sizes: sizes)
    while !Task.isCancelled {
      gauge.show(player.record.withLock { $0 })
      try? await Task.sleep(for: .milliseconds(100))
    }
    gauge.show(player.record.withLock { $0 })
  }
  do {
    if let link = scenario.link, link != .other { await player.change(to: link) }
    try await player.play(scenario.unrolled)
  } catch let error as PlayerError {
    FileHandle.standardError.write(Data("\(error)\n".utf8))
  }
  screen.cancel()
  await screen.value
  await player.close()
  if chosen == nil { try? FileManager.default.removeItem(at: folder) }
  let record = player.record.withLock { $0 }
  print(table(record, simulated), terminator: "")
  if let path = flags["--json"] {
    let summary = Result.Summary(
      installed: record.installed, stalls: record.stalls, stalled: record.stalled,
      errors: record.requests.count { $0.error != nil })
    let result = Result(steps: record.steps, requests: record.requests, summary: summary)
    try JSONEncoder().encode(result).write(to: URL(fileURLWithPath: path))
  }
}

do {
  try await run(CommandLine.arguments.dropFirst())
} catch {
  FileHandle.standardError.write(Data("\(error)\n".utf8))
  exit(1)
}
