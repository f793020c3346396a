import Foundation
import OnDemand

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif


// The client that Examples/Clients/run.py tries: Client URL STORE KEY. Brings all packs of the newest release, and prints what
// an app has then: the release, and the SHA-256 of each file.

/// The parts of `index.json` that say which files there are to look for; OnDemand itself needs nothing of this.
struct Index: Decodable {
  struct Contents: Decodable { let path: String }
  let release: Int?
  let tags: [String: Tag]
  struct Tag: Decodable {}
}

struct FileList: Decodable {
  struct File: Decodable { let path: String }
  let files: [File]
}

/// The SHA-256 of a file by the program of the system, which every Linux has.
func digest(of file: URL) throws -> String {
  let process = Process()
  let output = Pipe()
  process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
  process.arguments = ["sha256sum", file.path]
  process.standardOutput = output
  try process.run()
  let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
  process.waitUntilExit()
  return "sha256:" + text.drop { $0 == "\\" }.prefix(64)
}

/// What the client keeps beside the store: the tags and files of the release that it has, since a later one may not come.
struct Known: Codable {
  var release: Int
  var tags: [String]
  var files: [String]
}

let words = CommandLine.arguments
guard words.count == 4, let server = URL(string: words[1]) else {
  FileHandle.standardError.write(Data("usage: Client URL STORE KEY\n".utf8))
  exit(2)
}
let folder = URL(fileURLWithPath: words[2])
let note = folder.appendingPathComponent("known.json")
var known = (try? JSONDecoder().decode(Known.self, from: Data(contentsOf: note))) ?? Known(release: 0, tags: [], files: [])
var status: Int32 = 0

func fetched(_ path: String) async throws -> Data {
  try await URLSession.shared.data(from: server.appendingPathComponent(path)).0
}

do {
  var options = PackStore.Options()
  options.publicKeys = [words[3]]
  options.patience = 10
  let store = try await PackStore.open(at: folder.appendingPathComponent("store"), server: server, options)
  do {
    // The packs of the old release stay until the new ones are stored.
    try await store.checkForUpdate()?.apply()
    let data = try await fetched("index.json")
    let index = try JSONDecoder().decode(Index.self, from: data)
    let object = try JSONSerialization.jsonObject(with: data) as? [String: Any]
    let path = (object?["contents"] as? [String: Any])?["path"] as? String ?? ""
    let list = try JSONDecoder().decode(FileList.self, from: try await fetched(path))
    let tags = index.tags.keys.sorted()
    let request = store.request(for: tags)
    try await request.beginAccessing()
    known = Known(release: index.release ?? 0, tags: tags, files: list.files.map(\.path))
    try JSONEncoder().encode(known).write(to: note, options: .atomic)
    request.endAccessing()
  } catch {
    FileHandle.standardError.write(Data("\(error)\n".utf8))
    status = 1
  }
  let request = store.request(for: known.tags)
  var files: [String: String] = [:]
  let isThere = known.tags.isEmpty ? false : try await request.conditionallyBeginAccessing()
  if isThere {
    for path in known.files { files[path] = try digest(of: store.url(for: path)) }
  }
  let result: [String: Any] = ["release": known.release, "files": files]
  print(String(decoding: try JSONSerialization.data(withJSONObject: result), as: UTF8.self))
  request.endAccessing()
  await store.close()
} catch {
  FileHandle.standardError.write(Data("\(error)\n".utf8))
  print("{\"release\": 0, \"files\": {}}")
  status = 1
}
exit(status)
