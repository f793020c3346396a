package import Findings
package import System

/// A finding from inspecting a file's contents.
package struct ContentFinding: Sendable {
  /// The path of the file, relative to the root; the next build inspects it again.
  package let path: String
  package let finding: Diagnostic

  package init(path: String, finding: Diagnostic) {
    self.path = path
    self.finding = finding
  }
}

/// Inspects the first bytes of tagged files, on several threads.
package struct ContentInspection {
  private let plan: PackPlan
  private let root: Folder
  /// The files to inspect, by their index in the tree.
  private let files: [Int]
  private let reads: AssetReads

  package init(of files: [Int], in plan: PackPlan, root: Folder, reads: AssetReads = AssetReads()) {
    self.reads = reads
    self.plan = plan
    self.root = root
    self.files = files
  }

  /// The number of files that a thread takes at once; they are mostly in one folder.
  private static let batchSize = 512

  /// The number of threads for each job.
  ///
  /// Outside the page cache threads wait for the disk, which can choose its order among several requests: 100,000
  /// files took 3.5 s with eight threads and 6 to 8 s with two; in the page cache both took equally long.
  private static let threadsPerJob = 2

  /// Findings about machine code, placeholders, and unreadable files.
  package func findings(jobs: Int) throws(SystemError) -> [ContentFinding] {
    let starts = Array(stride(from: 0, to: files.count, by: Self.batchSize))
    let findings = try onThreads(Self.threadsPerJob * jobs, each: starts) { start throws(SystemError) in
      var inspector = Inspector(plan: plan, root: root, reads: reads)
      defer { reads.addRead(inspector.bytes) }
      try inspector.inspect(files[start..<min(start + Self.batchSize, files.count)])
      return inspector.findings
    }
    return findings.flatMap { $0 }
  }
}

/// Inspects the files of one batch.
private struct Inspector {
  let plan: PackPlan
  let root: Folder
  let reads: AssetReads
  var findings: [ContentFinding] = []
  var bytes: Int64 = 0
  var head = ByteBuffer()
  var opener = AssetOpener()

  mutating func inspect(_ numbers: ArraySlice<Int>) throws(SystemError) {
    for number in numbers {
      let file = plan.tree.files[number]
      // The content that counts is elsewhere.
      if file.pointer != nil { continue }
      do throws(SystemError) {
        try inspect(file)
      } catch {
        // A missing file is reported when it is packed.
        if error.isMissing || error.isNoFile || error.isLink { continue }
        guard error.isDenied else { throw error }
        findings.append(
          ContentFinding(
            path: file.path, finding: plan.finding(.unreadableFile, file, "cannot be read: permission denied")
          ))
      }
    }
  }

  private mutating func inspect(_ file: AssetFile) throws(SystemError) {
    let input = try opener.open(file.path, below: root)
    // Nothing that is looked for is shorter; opening alone shows whether the file may be read.
    if file.size < ContentCheck.leastSize { return }
    head.clear()
    // No more than there is: reading on to see the end costs a short file a second call.
    try input.read(Int(min(file.size, Int64(ContentCheck.headSize))), at: 0, into: &head)
    bytes += Int64(head.count)
    let found = try head.withSpan(from: 0) { [reads] head throws(SystemError) in
      try ContentCheck.finding(in: input, of: file.size, head: head, reads)
    }
    if let found { findings.append(ContentFinding(path: file.path, finding: plan.finding(found, file))) }
  }
}

extension ContentCheck {
  /// The first check that finds an open file of a size in bytes, by its first bytes as far as they have been read;
  /// counts what else it reads.
  package static func finding(
    in input: borrowing InputFile, of size: Int64, head: Span<UInt8>, _ reads: AssetReads
  ) throws(SystemError) -> ContentCheck? {
    try finding(head: head, size: size) { offset, count throws(SystemError) in
      let bytes = try input.bytes(count, at: offset)
      reads.addRead(Int64(bytes.count))
      return bytes
    }
  }
}

extension [Diagnostic] {
  /// The same with all pointers as one error, since packs of pointers are of no use to anyone.
  package var refusingPointers: [Diagnostic] {
    guard let first = first(where: { $0.check == .lfsPointer }) else { return self }
    let count = count { $0.check == .lfsPointer }
    let message = count == 1 ? first.message : "\(first.message); \(grouped(count)) files are such pointers"
    let refusal = Diagnostic(.lfsPointer, message, at: first.place, severity: .error)
    return filter { $0.check != .lfsPointer } + [refusal]
  }
}

extension PackPlan {
  /// A finding about the contents of a file.
  package func finding(_ found: ContentCheck, _ file: AssetFile) -> Diagnostic {
    finding(found.kind, file, found.statement, found.severity)
  }

  /// A finding about a file.
  package func finding(
    _ check: Check, _ file: AssetFile, _ statement: String, _ severity: Severity? = nil
  ) -> Diagnostic {
    Diagnostic(check, "the file \(quoted(file.path)) \(statement)", at: place(of: file), severity: severity)
  }
}
