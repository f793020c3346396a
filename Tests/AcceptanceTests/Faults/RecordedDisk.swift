import Foundation
import Support

/// The possible contents of a disk after a power failure at any moment of a program, computed from a
/// recording by `Tests/Faults/recorder.c`.
///
/// The rules follow from what POSIX allows file systems to do, and what ext4 and others really do. A file has
/// the contents of its last flush, or is empty. A change of a name is safe if the name's folder was flushed
/// afterwards. Other changes of names can be lost: all of them, single changes, or all changes after some
/// moment.
struct RecordedDisk {
  /// A file or a folder, as an index in `nodes`.
  private typealias NodeID = Int

  private struct Node {
    var isFolder: Bool
    /// The contents that are safe on the disk, each with the number of the event after which they are safe.
    ///
    /// The first contents are those from before the program ran.
    var contents: [(event: Int, copy: String)] = []
    /// The names in a folder before the program ran.
    var names: [String: NodeID] = [:]
  }

  /// A change of names.
  ///
  /// It removes and adds names at the same time.
  private struct NameChange {
    var event: Int
    var removed: [Entry] = []
    var added: [Entry] = []

    struct Entry {
      var folder: NodeID
      var name: String
      var node: NodeID
    }
  }

  private var nodes: [Node] = []
  private var changes: [NameChange] = []
  /// The events that flush names, each with the folder of these names.
  ///
  /// The folder is nil if the event flushes the whole file system.
  private var nameFlushes: [(event: Int, folder: NodeID?)] = []
  private(set) var eventCount = 0
  /// The text that the program printed to standard output and standard error.
  private(set) var output = ""
  private let store: TemporaryFolder

  /// A possible state of the disk.
  struct State {
    /// The number of events that happen before the power failure.
    var events: Int
    /// The copies of files, by the path of the file relative to the top folder.
    fileprivate var files: [String: String?]
    var folders: [String]

    /// Writes the state of a folder that is below the top folder to a real folder.
    func write(_ folder: String, to target: String) throws {
      try? FileManager.default.removeItem(atPath: target)
      let prefix = folder + "/"
      for path in folders where path == folder || path.hasPrefix(prefix) {
        let place = target + path.dropFirst(folder.count)
        try FileManager.default.createDirectory(atPath: place, withIntermediateDirectories: true)
      }
      for (path, copy) in files where path.hasPrefix(prefix) {
        let data = try copy.map { try Data(contentsOf: URL(fileURLWithPath: $0)) } ?? Data()
        try data.write(to: URL(fileURLWithPath: target + path.dropFirst(folder.count)))
      }
    }
  }

  /// Runs a program and records its changes below `top`.
  init(
    _ program: String, _ arguments: [String], below top: String, store: TemporaryFolder,
    environment: [String: String] = [:]
  ) throws {
    self.store = store
    let library = store.path("recorder.so")
    let source = "\(packageFolder)/Tests/Faults/recorder.c"
    let flags = ["-shared", "-fPIC", "-O1", "-Wall", "-Wextra", "-Werror", "-o", library, source]
    guard let compiler = FaultShim.compiler, try Support.run(compiler, flags).status == 0 else {
      throw FaultShimFailure(said: "the recorder cannot be compiled")
    }
    var inodes: [UInt64: NodeID] = [:]
    let root = try addExisting(top, to: &inodes)
    precondition(root == 0)
    let recording = ["RECORD_LOG": store.path("log"), "RECORD_STORE": store.path, "RECORD_TOP": top]
    let run = try Support.run(
      program, arguments, in: top,
      environment: environment.merging(recording) { $1 }.merging(["LD_PRELOAD": library]) { $1 })
    if run.status != 0 { throw FaultShimFailure(said: run.output + run.errors) }
    output = run.output + run.errors
    let log = String(decoding: try store.read("log"), as: UTF8.self)
    var current = Dictionary(uniqueKeysWithValues: nodes.indices.map { ($0, nodes[$0].names) })
    for line in log.split(separator: "\n") {
      let fields = line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
      add(fields, &inodes, &current)
      eventCount += 1
    }
  }

  /// Adds the files that exist before the program runs, and copies them.
  private mutating func addExisting(_ path: String, to inodes: inout [UInt64: NodeID]) throws -> NodeID {
    let attributes = try FileManager.default.attributesOfItem(atPath: path)
    let inode = (attributes[.systemFileNumber] as? NSNumber)?.uint64Value ?? 0
    if let known = inodes[inode] { return known }
    let id = nodes.count
    inodes[inode] = id
    nodes.append(Node(isFolder: attributes[.type] as? FileAttributeType == .typeDirectory))
    if nodes[id].isFolder {
      for name in try FileManager.default.contentsOfDirectory(atPath: path).sorted() {
        nodes[id].names[name] = try addExisting("\(path)/\(name)", to: &inodes)
      }
    } else {
      let copy = "\(store.path)/before-\(id)"
      try FileManager.default.copyItem(atPath: path, toPath: copy)
      nodes[id].contents.append((-1, copy))
    }
    return id
  }

  private mutating func add(
    _ fields: [String], _ inodes: inout [UInt64: NodeID], _ current: inout [NodeID: [String: NodeID]]
  ) {
    func inode(_ field: Int) -> UInt64 { UInt64(fields[field]) ?? 0 }
    func entry(_ field: Int, _ node: NodeID) -> NameChange.Entry? {
      inodes[inode(field)].map { NameChange.Entry(folder: $0, name: fields[field + 1], node: node) }
    }
    func existing(_ field: Int) -> NodeID? {
      inodes[inode(field)].flatMap { current[$0]?[fields[field + 1]] }
    }
    var change = NameChange(event: eventCount)
    switch fields[0] {
    case "create", "mkdir", "link":
      // The inode of a new file may have belonged to another file earlier, so it is not looked up.
      let known = fields[0] == "link" ? inodes[inode(3)] : nil
      let node = known ?? nodes.count
      if known == nil { nodes.append(Node(isFolder: fields[0] == "mkdir")) }
      inodes[inode(3)] = node
      change.added = [entry(1, node)].compactMap { $0 }
    case "unlink":
      change.removed = [existing(1).flatMap { entry(1, $0) }].compactMap { $0 }
    case "rename":
      guard let node = existing(1) else { return }
      change.removed = [entry(1, node)].compactMap { $0 }
      change.added = [entry(3, node)].compactMap { $0 }
    case "exchange":
      guard let first = existing(1), let second = existing(3) else { return }
      change.added = [entry(1, second), entry(3, first)].compactMap { $0 }
    case "sync", "syncall":
      for field in stride(from: 1, to: fields.count - 1, by: 2) {
        let copy = "\(store.path)/\(fields[field + 1])"
        if inodes[inode(field)] == nil {
          inodes[inode(field)] = nodes.count
          nodes.append(Node(isFolder: false))
        }
        inodes[inode(field)].map { nodes[$0].contents.append((eventCount, copy)) }
      }
      if fields[0] == "syncall" { nameFlushes.append((eventCount, nil)) }
    case "syncfolder":
      inodes[inode(1)].map { nameFlushes.append((eventCount, $0)) }
    default: break
    }
    for entry in change.removed where current[entry.folder]?[entry.name] == entry.node {
      current[entry.folder]?[entry.name] = nil
    }
    for entry in change.added { current[entry.folder, default: [:]][entry.name] = entry.node }
    if !change.added.isEmpty || !change.removed.isEmpty { changes.append(change) }
  }

  /// Returns all states that the disk can have after a power failure.
  ///
  /// Each state is listed once. If `isWhole` is true, more combinations are included.
  func states(isWhole: Bool) -> [State] {
    var seen: Set<[String]> = []
    var states: [State] = []
    for moment in 0...eventCount {
      let made = changes.prefix { $0.event < moment }
      let safe = made.indices.filter { isSafe(made[$0], at: moment) }
      let open = made.indices.filter { !safe.contains($0) }
      var choices = [safe, Array(made.indices)]
      // In these states, one change reached the disk before changes that were made earlier.
      choices += open.map { index in made.indices.filter { safe.contains($0) || $0 == index } }
      // In these states, all changes after a certain moment are lost.
      if isWhole { choices += open.map { index in made.indices.filter { safe.contains($0) || $0 < index } } }
      for choice in choices {
        let state = state(at: moment, with: choice.map { made[$0] })
        let print = state.folders + state.files.map { "\($0)\t\($1 ?? "")" }.sorted()
        if seen.insert(moment == eventCount ? print + ["end"] : print).inserted { states.append(state) }
      }
    }
    return states
  }

  /// Whether a change of names is certainly on the disk.
  private func isSafe(_ change: NameChange, at moment: Int) -> Bool {
    let folders = Set(change.added.isEmpty ? change.removed.map(\.folder) : change.added.map(\.folder))
    return nameFlushes.contains { flush in
      flush.event > change.event && flush.event < moment && flush.folder.map(folders.contains) ?? true
    }
  }

  private func state(at moment: Int, with changes: [NameChange]) -> State {
    var names = nodes.map(\.names)
    for change in changes {
      for entry in change.removed where names[entry.folder][entry.name] == entry.node {
        names[entry.folder][entry.name] = nil
      }
      for entry in change.added { names[entry.folder][entry.name] = entry.node }
    }
    var state = State(events: moment, files: [:], folders: [])
    var open: [(path: String, node: NodeID)] = [("", 0)]
    while let (path, node) = open.popLast() {
      if nodes[node].isFolder {
        state.folders.append(path)
        open += names[node].map { ("\(path)/\($0.key)", $0.value) }
      } else {
        state.files[path] = .some(nodes[node].contents.last { $0.event < moment }?.copy)
      }
    }
    state.folders.sort()
    return state
  }
}
