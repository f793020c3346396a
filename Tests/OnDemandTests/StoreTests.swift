import Foundation
import Support
import Testing

@testable import OnDemand

/// From an empty folder to files that can be read.
@Suite struct StoreTests {
  @Test func aTagIsFetchedAndRead() async throws {
    let site = try BuiltSite()
    let server = FolderServer(site.path)
    let folder = try TemporaryFolder()
    let store = try await PackStore(
      at: folder.url("store"), server: FolderServer.url, PackStore.Options(), Surroundings(server))
    let update = try await store.update()
    #expect(update.isNew && !update.added.isEmpty && update.downloadSize == 0)
    for (tag, files) in try site.filesByTag() {
      let request = store.request(for: [tag])
      let progress = request.progress
      try await request.beginAccessing()
      for (path, data) in files { #expect(try Data(contentsOf: store.url(for: path)) == data) }
      var last: ResourceProgress?
      for await step in progress { last = step }
      #expect(last?.fraction == 1 && last?.bytes == last?.total)
      request.endAccessing()
      #expect(throws: OnDemandError.self) { try store.url(for: files.keys.sorted()[0]) }
    }
    await store.close()
  }
}
