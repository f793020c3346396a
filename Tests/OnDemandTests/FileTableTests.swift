import Foundation
import Support
import Testing

@testable import OnDemand

/// Tests the table of the files that open requests use.
@Suite(.noHang) struct FileTableTests {
  private let folder: TemporaryFolder
  private let table: FileTable
  private let store: StoreFolder

  init() throws {
    folder = try TemporaryFolder()
    store = try StoreFolder(URL(fileURLWithPath: folder.path("store")))
    table = FileTable(store)
  }

  private func listing(_ number: Int, _ paths: [String]) -> FileTable.Listing {
    FileTable.Listing(number: number, key: "key\(number)", paths: paths)
  }

  private func url(_ path: String, _ number: Int) -> URL { store.file(path, of: "key\(number)") }

  /// Whether a pack that no request uses is no longer in the table.
  private func isForgotten(_ number: Int) -> Bool {
    if table.reserve([number]) == [number] { return true }
    table.release([number])
    return false
  }

  @Test func `a request has the files of its packs`() throws {
    let (first, second) = (RequestState(), RequestState())
    #expect(table.reserve([1, 2]) == [1, 2])
    table.open(first, packs: [1, 2], listings: [listing(1, ["a", "x"]), listing(2, ["b"])])
    #expect(table.reserve([2, 3]) == [3])
    table.open(second, packs: [2, 3], listings: [listing(3, ["a", "c"])])
    #expect(
      table.url(for: "a", in: first) == url("a", 1)
        && table.url(for: "a", in: second) == url("a", 3))
    #expect(
      table.url(for: "b", in: first) == url("b", 2)
        && table.url(for: "b", in: second) == url("b", 2))
    #expect(table.url(for: "c", in: first) == nil && table.url(for: "x", in: second) == nil)
    #expect(
      table.url(for: "none", in: first) == nil && table.url(for: "a", in: RequestState()) == nil)
    table.close(first)
    #expect(table.url(for: "a", in: first) == nil && table.url(for: "b", in: second) == url("b", 2))
    // The paths of packs that nobody uses are removed in the background.
    #expect(table.url(for: "x") == nil)
    try blockUntil("the first pack is forgotten") { isForgotten(1) }
    #expect(table.url(for: "a") == url("a", 3) && table.url(for: "b") == url("b", 2))
  }

  /// Without a request, a file of the current release is preferred.
  @Test func `a file of several packs is that of the current release`() {
    let requests = (1...3).map { _ in RequestState() }
    for (number, request) in zip([3, 1, 2], requests) {
      table.open(request, packs: [number], listings: [listing(number, ["a"])])
    }
    #expect(table.url(for: "a") == url("a", 1))
    table.setCurrent([2, 3])
    #expect(table.url(for: "a") == url("a", 2))
    table.setCurrent([3])
    #expect(table.url(for: "a") == url("a", 3))
    table.setCurrent([4])
    #expect(table.url(for: "a") == url("a", 1))
    // In a request with several such packs, it is the file of the first pack.
    let all = RequestState()
    #expect(table.reserve([3, 2]) == [])
    table.open(all, packs: [3, 2], listings: [])
    #expect(table.url(for: "a", in: all) == url("a", 2))
    for request in requests { table.close(request) }
    #expect(table.url(for: "a") == url("a", 2))
    table.close(all)
    #expect(table.url(for: "a") == nil && table.url(for: "a", in: all) == nil)
  }

  @Test func `a pack stays as long as a request uses it`() throws {
    let (first, second, third) = (RequestState(), RequestState(), RequestState())
    table.open(first, packs: [1], listings: [listing(1, ["a"])])
    // Two requests can list the same pack at the same time. It counts for both of them.
    table.open(second, packs: [1], listings: [listing(1, ["a"])])
    #expect(table.reserve([1]) == [])
    table.open(third, packs: [1], listings: [])
    for request in [first, second] {
      table.close(request)
      table.close(request)
      #expect(table.url(for: "a") == url("a", 1) && table.url(for: "a", in: third) == url("a", 1))
    }
    #expect(table.reserve([1]) == [])
    table.release([1])
    #expect(table.url(for: "a") == url("a", 1))
    table.close(third)
    #expect(table.url(for: "a") == nil)
    try blockUntil("the pack is forgotten") { isForgotten(1) }
    // A pack that is listed again is there again.
    table.open(first, packs: [1], listings: [listing(1, ["b"])])
    #expect(table.url(for: "a") == nil && table.url(for: "b") == url("b", 1))
  }

  /// Paths are added and removed in groups of 500.
  @Test(arguments: [0, 1, 499, 500, 501, 1000, 1001]) func `each path of a pack is in the table`(
    count: Int
  ) throws {
    let request = RequestState()
    let paths = (0..<count).map { "p\($0)" }
    table.open(request, packs: [1], listings: [listing(1, paths)])
    #expect(paths.allSatisfy { table.url(for: $0, in: request) == url($0, 1) })
    table.close(request)
    try blockUntil("the pack is forgotten") { isForgotten(1) }
    table.open(request, packs: [2], listings: [listing(2, ["p0", "q"])])
    #expect(paths.dropFirst().allSatisfy { table.url(for: $0) == nil })
    #expect(table.url(for: "p0", in: request) == url("p0", 2))
  }

  /// "é" can be one character or two.
  @Test func `a path is found in both forms of Unicode`() {
    let request = RequestState()
    table.open(request, packs: [1], listings: [listing(1, ["e\u{301}"])])
    let found = table.url(for: "\u{e9}", in: request)
    #expect(found.map { Array($0.path.utf8) } == Array(url("e\u{301}", 1).path.utf8))
  }
}
