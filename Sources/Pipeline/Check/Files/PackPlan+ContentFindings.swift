package import Formats
import Model
package import System

/// The result of inspecting a file's contents, if there is something to report.
///
/// The next build inspects a file with such a result again.
package struct ContentFinding: Sendable {
  /// The path of the inspected file.
  package let path: String
  /// The finding; nil if this layout permits the contents.
  ///
  /// Another layout might not permit them.
  package let finding: Diagnostic?

  package init(path: String, finding: Diagnostic?) {
    self.path = path
    self.finding = finding
  }
}

/// The number of files that a thread inspects in one step.
///
/// Most files of a step are in the same folder.
private let batchSize = 512
/// The number of threads for each job of `--jobs`.
///
/// A thread waits for the disk if a file is not in the page cache. If several threads wait, the disk can
/// choose the order of their requests. Inspecting 100,000 files took 3.5 s with eight threads, and 6 to 8 s
/// with two threads. If all files were in the page cache, two and eight threads took equally long.
private let threadsPerJob = 2

extension PackPlan {
  /// Returns content findings, skipping files in which an earlier inspection found nothing.
  package func contentFindings(
    root: Folder, unchanged: UnchangedFiles = .nothing, readCounter: ReadCounter = ReadCounter(), jobs: Int
  ) throws(SystemError) -> [Diagnostic] {
    let all = tree.files.indices
    let files = unchanged.isNothing ? Array(all) : all.filter { unchanged.hasContentFinding($0) ?? true }
    return try contentFindings(in: files, root: root, readCounter: readCounter, jobs: jobs).compactMap(
      \.finding)
  }

  /// Inspects the first bytes of some files, given by their index in the tree.
  ///
  /// Returns findings about machine code, pointers, secret keys and unreadable files.
  package func contentFindings(
    in files: [Int], root: Folder, readCounter: ReadCounter, jobs: Int
  ) throws(SystemError) -> [ContentFinding] {
    let starts = Array(stride(from: 0, to: files.count, by: batchSize))
    let findings = try onThreads(threadsPerJob * jobs, each: starts) { start throws(SystemError) in
      var opener = AssetOpener()
      var head = ByteBuffer()
      var found: [ContentFinding] = []
      for number in files[start..<min(start + batchSize, files.count)] {
        if let finding = try contentFinding(
          number, root: root, readCounter: readCounter, opener: &opener, head: &head)
        {
          found.append(finding)
        }
      }
      return found
    }
    return findings.flatMap { $0 }
  }

  private func contentFinding(
    _ number: Int, root: Folder, readCounter: ReadCounter, opener: inout AssetOpener, head: inout ByteBuffer
  ) throws(SystemError) -> ContentFinding? {
    let file = tree.files[number]
    // A pointer is not inspected, because it only represents the real file.
    if file.pointer != nil { return nil }
    do throws(SystemError) {
      // Opening the file shows whether it can be read. The buffer for its bytes is not used here.
      return try contentFinding(
        file, in: opener.open(file.path, below: root), readCounter: readCounter, head: &head)
    } catch {
      // A missing file is reported when it is packed.
      if error.isMissing || error.isNoFile || error.isLink { return nil }
      guard error.isDenied else { throw error }
      return ContentFinding(
        path: file.path,
        finding: unreadableFinding(about: file))
    }
  }
}

extension PackPlan {
  /// Inspects the first bytes of an open file.
  ///
  /// Returns nil if nothing is wrong with them.
  func contentFinding(
    _ file: AssetFile, in input: borrowing InputFile, readCounter: ReadCounter, head: inout ByteBuffer
  ) throws(SystemError) -> ContentFinding? {
    // The file is too small to contain anything that the checks look for.
    if file.size < ContentProblem.minSize { return nil }
    head.clear()
    // The number of bytes is limited to the file's size, because a read that reaches the end of the file
    // would need a second system call.
    try input.read(Int(min(file.size, Int64(ContentProblem.headSize))), at: 0, into: &head)
    readCounter.addRead(Int64(head.count))
    let found = try head.withSpan(from: 0) { head throws(SystemError) in
      try ContentProblem.found(in: input, of: file.size, head: head, readCounter: readCounter)
    }
    return found.map { ContentFinding(path: file.path, finding: finding($0, file: file)) }
  }
}

extension ContentProblem {
  /// Inspects an open file of `size` bytes, using the first bytes that were already read.
  ///
  /// If further bytes are needed, they are read and counted.
  package static func found(
    in input: borrowing InputFile, of size: Int64, head: Span<UInt8>, readCounter: ReadCounter
  ) throws(SystemError) -> ContentProblem? {
    try found(inHead: head, size: size) { offset, count throws(SystemError) in
      let bytes = try input.bytes(count: count, at: offset)
      readCounter.addRead(Int64(bytes.count))
      return bytes
    }
  }
}

extension [Diagnostic] {
  /// The same findings, with all findings about pointers combined into one finding.
  ///
  /// If a checkout lacks its large files, most of its files are pointers.
  package var countingPointers: [Diagnostic] {
    let pointers = filter { $0.check == .lfsPointer }
    guard pointers.count > 1, let first = pointers.first else { return self }
    let message = "\(first.message); \(grouped(pointers.count)) files in total are such pointers"
    return filter { $0.check != .lfsPointer } + [Diagnostic(.lfsPointer, message: message, at: first.place)]
  }
}

extension PackPlan {
  /// Returns a finding about the contents of a file; nil if the layout permits them.
  package func finding(_ problem: ContentProblem, file: AssetFile) -> Diagnostic? {
    problem.finding(about: file.path, at: place(of: file), under: manifest.layoutRules.code ?? .refused)
  }

  /// Returns the finding about a file that the user who runs packtool is not permitted to read.
  package func unreadableFinding(about file: AssetFile) -> Diagnostic {
    finding(.unreadableFile, file: file, statement: UnreadableFile.statement(at: place(of: file).path))
  }

  /// Returns a finding about a file.
  package func finding(
    _ check: Check, file: AssetFile, statement: String, severity: Severity? = nil
  ) -> Diagnostic {
    Diagnostic(
      check, message: "the file \(quoted(file.path)) \(statement)", at: place(of: file), severity: severity)
  }
}
