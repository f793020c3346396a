import Foundation
import OnDemand

// A program that tests can kill at any moment. It executes commands with a store, for example downloads of
// packs, and prints the results.
//
// Usage: `OnDemandDriver FOLDER URL COMMAND…`. A command is "update", "stage", "install", "space=BYTES",
// "file=PATH", or a tag. A tag requests the packs with this tag.
let arguments = CommandLine.arguments
var options = PackStore.Options()
// On a busy machine, a response of a server can be late.
options.patience = 3600
options.publicKeys = ProcessInfo.processInfo.environment["ONDEMAND_KEY"].map { [$0] } ?? []
let start = Date()
let store = try await PackStore.open(
  at: URL(fileURLWithPath: arguments[1]), server: URL(string: arguments[2])!, options)
print("opened \(Int(Date().timeIntervalSince(start) * 1_000_000)) us")
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
await store.close()
print("took \(Int(Date().timeIntervalSince(start) * 1_000)) ms")
