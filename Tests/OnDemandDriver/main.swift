import Foundation
import OnDemand

// A player for tests that end it at any moment: brings the packs of tags into a store, and prints what it sees.
//
// OnDemandDriver FOLDER URL COMMAND…, where a command is "update", "install", "space=BYTES", a tag, or "file=PATH".
let arguments = CommandLine.arguments
var options = PackStore.Options()
options.publicKeys = ProcessInfo.processInfo.environment["ONDEMAND_KEY"].map { [$0] } ?? []
let start = Date()
let store = try await PackStore(
  at: URL(fileURLWithPath: arguments[1]), server: URL(string: arguments[2])!, options: options)
print("opened \(Int(Date().timeIntervalSince(start) * 1_000_000)) us")
var requests: [ResourceRequest] = []
for command in arguments.dropFirst(3) {
  let value = command.split(separator: "=", maxSplits: 1).last.map(String.init) ?? ""
  do {
    switch command {
    case "update": print("update", try await store.update())
    case "install": try await store.install()
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
