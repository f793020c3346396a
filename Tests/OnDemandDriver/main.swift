import Foundation
import OnDemand

// A program that tests can kill at any moment. It executes commands with a store, for example downloads of
// packs, and prints the results.
//
// Usage: `OnDemandDriver FOLDER URL COMMAND…`. A command is "update", "stage", "install", "space=BYTES",
// "file=PATH", "all", "calls=COUNT", "wait", or a tag. A tag requests the packs with this tag, and "all" requests
// the packs of all tags. "wait" waits for the end of the input.
let arguments = CommandLine.arguments
let environment = ProcessInfo.processInfo.environment
var options = PackStore.Options()
// On a busy machine, a response of a server can be late.
options.patience = environment["ONDEMAND_PATIENCE"].flatMap { Double($0) } ?? 3600
options.publicKeys = environment["ONDEMAND_KEY"].map { [$0] } ?? []
options.connections = environment["ONDEMAND_CONNECTIONS"].flatMap { Int($0) } ?? options.connections
options.waitsForFolder = environment["ONDEMAND_WAITS"] != nil
let start = Date()
let store: PackStore
do {
  store = try await PackStore.open(
    at: URL(fileURLWithPath: arguments[1]), server: URL(string: arguments[2])!, options)
} catch {
  print("error open", error)
  exit(1)
}
print("opened \(Int(Date().timeIntervalSince(start) * 1_000_000)) us")
fflush(nil)
var requests: [ResourceRequest] = []
for command in arguments.dropFirst(3) {
  let value = command.split(separator: "=", maxSplits: 1).last.map(String.init) ?? ""
  do {
    switch command {
    case "update":
      let update = try await store.checkForUpdate()
      print("update", update?.changedTags ?? [])
      try await update?.apply(.immediately)
    case "stage": try await store.checkForUpdate()?.apply()
    case "install": try await store.install().wait()
    case "wait":
      fflush(nil)
      while readLine() != nil {}
    case "all":
      let request = store.request(for: store.tags)
      let (start, watch) = (Date(), CallWatch(store, request))
      try await request.beginAccessing()
      print("all of \(store.tags.count) tags took \(Int(Date().timeIntervalSince(start) * 1_000)) ms")
      watch.end()
      requests.append(request)
    case _ where command.hasPrefix("calls="): measureCalls(Int(value) ?? 0)
    case _ where command.hasPrefix("space="): store.setSpace(Int64(value) ?? 0)
    case _ where command.hasPrefix("file="):
      print("file", try Data(contentsOf: store.url(for: value)).base64EncodedString())
    default:
      let request = store.request(for: [command])
      try await request.beginAccessing()
      requests.append(request)
      print("begun", command)
    }
  } catch {
    print("error", command, error)
  }
}

/// Prints how long `url(for:)` takes with the packs of all open requests.
@MainActor func measureCalls(_ count: Int) {
  guard let request = requests.last else { return }
  let paths = store.tags.map { "\($0)/file" }
  func time(_ name: String, _ call: (String) -> Void) {
    let start = DispatchTime.now().uptimeNanoseconds
    for number in 0..<count { call(paths[number % paths.count]) }
    print(name, "\((DispatchTime.now().uptimeNanoseconds - start) / UInt64(max(count, 1))) ns")
  }
  time("store.url") { path in _ = try? store.url(for: path) }
  time("request.url") { path in _ = try? request.url(for: path) }
  time("unknown path") { path in _ = try? request.url(for: "\(path)-") }
}
await store.close()
print("took \(Int(Date().timeIntervalSince(start) * 1_000)) ms")
