import Foundation

/// The files of all packs that open requests use, keyed by path.
///
/// A look-up in this table does not use the disk or the store's lock.
final class FileTable: Sendable {
  private struct Pack {
    let key: String
    let paths: [String]
    /// The number of open requests that use the pack.
    var users: Int
  }

  /// A pack's key, and the path of a file in the pack.
  private struct Place {
    let key: String
    let path: String
  }

  private struct State {
    var packs: [Int: Pack] = [:]
    /// For each path, the packs that contain a file at this path.
    ///
    /// There is nearly always only one such pack.
    var owners: [String: [Int]] = [:]
    var requests: [ObjectIdentifier: Set<Int>] = [:]
    var current: Set<Int> = []

    /// Finds a file in one of the packs that have it.
    ///
    /// The app and the pack can write the same text with other bytes, because "é" has two forms in Unicode.
    /// Most file systems distinguish the two forms, so the result has the form of the pack.
    func place(of path: String, choose: ([Int]) -> Int?) -> Place? {
      guard let index = owners.index(forKey: path), let number = choose(owners[index].value),
        let pack = packs[number]
      else { return nil }
      return Place(key: pack.key, path: owners[index].key)
    }
  }

  /// A pack, and the paths of its files.
  struct Listing {
    let number: Int
    let key: String
    let paths: [String]
  }

  private let state = Locked(State())
  private let folder: StoreFolder
  /// A lock that is held while the table changes, so that only one change is made at a time.
  ///
  /// Each change adds or removes paths in small groups.
  private let changes = NSLock()
  private let queue = DispatchQueue(label: "packtool.OnDemand.files")
  /// The maximum number of paths that are added or removed while the lock of `state` is held.
  private static let part = 500

  init(_ folder: StoreFolder) { self.folder = folder }

  func url(for path: String, in request: RequestState) -> URL? {
    let place = state.withLock { state -> Place? in
      guard let packs = state.requests[ObjectIdentifier(request)] else { return nil }
      return state.place(of: path) { $0.first(where: packs.contains) }
    }
    return place.map { folder.file($0.path, of: $0.key) }
  }

  /// Returns a file that any open request uses, preferably a file of the current release.
  func url(for path: String) -> URL? {
    let place = state.withLock { state in
      state.place(of: path) { owners in
        let held = owners.filter { state.packs[$0].map { $0.users > 0 } == true }
        return held.first(where: state.current.contains) ?? held.first
      }
    }
    return place.map { folder.file($0.path, of: $0.key) }
  }

  /// Reserves packs for a request that is about to open.
  ///
  /// Returns the packs whose paths are not yet in the table.
  func reserve(_ numbers: [Int]) -> [Int] {
    state.withLock { state in
      numbers.filter { number in
        state.packs[number]?.users += 1
        return state.packs[number] == nil
      }
    }
  }

  /// Releases packs that were reserved.
  func release(_ numbers: [Int]) {
    let unused = state.withLock { state -> [Int] in
      for number in numbers { state.packs[number]?.users -= 1 }
      return numbers.filter { state.packs[$0]?.users == 0 }
    }
    if !unused.isEmpty { queue.async { self.forget(unused) } }
  }

  func setCurrent(_ numbers: Set<Int>) { state.withLock { $0.current = numbers } }

  /// Opens a request's packs.
  ///
  /// Packs that are not in `listings` must have been reserved before.
  func open(_ request: RequestState, packs numbers: [Int], listings: [Listing]) {
    changes.lock()
    defer { changes.unlock() }
    for listing in listings {
      let isNew = state.withLock { state in
        state.packs[listing.number]?.users += 1
        if state.packs[listing.number] != nil { return false }
        state.packs[listing.number] = Pack(key: listing.key, paths: listing.paths, users: 1)
        return true
      }
      if !isNew { continue }
      forEachPart(of: listing.paths) { state, path in
        state.owners[path, default: []].append(listing.number)
        state.owners[path]?.sort()
      }
    }
    state.withLock { $0.requests[ObjectIdentifier(request)] = Set(numbers) }
  }

  func close(_ request: RequestState) {
    let numbers = state.withLock { $0.requests.removeValue(forKey: ObjectIdentifier(request)) }
    if let numbers { release(Array(numbers)) }
  }

  private func forget(_ numbers: [Int]) {
    changes.lock()
    defer { changes.unlock() }
    for number in numbers {
      let pack = state.withLock { state in
        state.packs[number]?.users == 0 ? state.packs.removeValue(forKey: number) : nil
      }
      forEachPart(of: pack?.paths ?? []) { state, path in
        state.owners[path]?.removeAll { $0 == number }
        if state.owners[path]?.isEmpty == true { state.owners[path] = nil }
      }
    }
  }

  private func forEachPart(of paths: [String], change: (inout State, String) -> Void) {
    for start in stride(from: 0, to: paths.count, by: Self.part) {
      state.withLock { state in
        for path in paths[start..<min(paths.count, start + Self.part)] { change(&state, path) }
      }
    }
  }
}
