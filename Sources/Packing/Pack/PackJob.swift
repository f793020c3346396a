import Formats
import Model
package import Pipeline
import System

/// A function that can be called on any thread after bytes have been put into a pack.
///
/// The arguments are the number of bytes and the file that contains them.
package typealias PackProgress = @Sendable (Int64, AssetFile) -> Void

/// The state that the writers of all packs share.
final class PackJob: Sendable {
  let plan: PackPlan
  private let root: Folder
  let settings: PackSettings
  let output: OutputFolder
  /// The previous build; nil if that build made its packs with other settings.
  private let last: LastBuild?
  let timings: Timings
  let readCounter: ReadCounter
  /// Buffers that threads reuse.
  private let free = Monitor<[ByteBuffer]>([])
  private let progress: PackProgress?
  private let found = Monitor<[Diagnostic]>([])
  private let seen = Monitor<[ContentFinding]>([])

  /// Creates a job; `progress` is called on any thread with the number of bytes that were packed since the
  /// previous call.
  init(
    _ target: BuildTarget, root: Folder, last: LastBuild?, timings: Timings, readCounter: ReadCounter,
    progress: PackProgress?
  ) {
    self.timings = timings
    self.readCounter = readCounter
    self.root = root
    plan = target.plan
    settings = target.settings
    output = target.output
    self.last = last?.key == settings.key(for: plan.manifest) ? last : nil
    self.progress = progress
  }

  /// Findings about files that changed or could not be read.
  ///
  /// If there are such findings, nothing may be published. The findings are sorted by path, so their order
  /// does not depend on the threads.
  var diagnostics: [Diagnostic] {
    found.change { $0 }.sorted { $0.place.path.precedesInBytes($1.place.path) }
  }

  /// Findings about the contents of files, sorted by path.
  var contentFindings: [ContentFinding] {
    seen.change { $0 }.sorted { $0.path.precedesInBytes($1.path) }
  }

  func files(of pack: AssetPack) -> [AssetFile] { pack.files.map { plan.tree.files[$0] } }

  /// Returns the archive of the previous build for a pack, given by its index in the plan; nil if the archive
  /// has changed.
  func oldArchive(ofPack number: Int) -> OldArchive? {
    guard let old = last?.intactPack(number) else { return nil }
    return try? OldArchive(joined(output.path, old.archive.path), modified: settings.modified)
  }

  /// Returns the packed file of the previous build if the source file has not changed since then; otherwise
  /// nil.
  func reusable(_ number: Int) -> PackedFile? {
    guard let file = last?.file(number), file.packed.entry != nil, !file.hasContentFinding else { return nil }
    return file.packed
  }

  /// Appends a part of a file to a buffer.
  ///
  /// If the file has changed since the scan, reports a finding and returns false.
  func read(
    _ file: AssetFile, range: Range<Int64>, by opener: inout AssetOpener, into buffer: inout ByteBuffer
  ) throws(SystemError) -> Bool {
    if file.pointer != nil {
      report(.missingContent, file: file, message: AssetFile.missingContent)
      return false
    }
    do throws(SystemError) {
      guard try readUnchanged(file, range: range, by: &opener, into: &buffer) else { return false }
    } catch {
      if error.isMissing || error.isLink {
        report(
          .fileChanged, file: file,
          message: "was removed while packtool was packing it; build again when no program changes the file")
      } else if error.isDenied {
        report(plan.unreadableFinding(about: file))
      } else {
        throw error
      }
      return false
    }
    progress?(range.upperBound - range.lowerBound, file)
    return true
  }

  private func readUnchanged(
    _ file: AssetFile, range: Range<Int64>, by opener: inout AssetOpener, into buffer: inout ByteBuffer
  ) throws(SystemError) -> Bool {
    let input = try opener.open(file.path, below: root)
    let before = buffer.count
    defer { readCounter.addRead(Int64(buffer.count - before)) }
    let reading = Result { () throws(SystemError) in
      try input.read(Int(range.upperBound - range.lowerBound), at: range.lowerBound, into: &buffer)
    }
    // The status is read after the content, because it then shows whether the file changed while it was read.
    let status = try input.status()
    guard status.kind == .file else {
      report(
        .fileChanged, file: file,
        message: "is no longer a regular file; build again when no program changes the file")
      return false
    }
    try reading.get()
    let isWhole = Int64(buffer.count - before) == range.upperBound - range.lowerBound
    guard isWhole && status.size == file.size && FileStamp(status) == file.stamp else {
      report(
        .fileChanged, file: file,
        message: "changed while packtool was packing it; build again when no program writes to the file")
      return false
    }
    if range.lowerBound > 0 { return true }
    let found = try buffer.withSpan(from: before) { [readCounter] head throws(SystemError) in
      try ContentProblem.found(in: input, of: file.size, head: head, readCounter: readCounter)
    }
    if let found {
      let finding = ContentFinding(path: file.path, finding: plan.finding(found, file: file))
      seen.change { $0.append(finding) }
    }
    return true
  }

  /// Clones the source of a file; returns false if the file must be copied instead.
  ///
  /// Errors are reported when the file is read.
  func clone(
    _ file: AssetFile, by opener: inout AssetOpener, into output: inout OutputFile
  ) throws(SystemError) -> Bool {
    if file.pointer != nil { return false }
    let input: InputFile
    do throws(SystemError) {
      input = try opener.open(file.path, below: root)
    } catch {
      if error.isMissing || error.isLink || error.isDenied { return false }
      throw error
    }
    if try input.status().kind != .file { return false }
    return output.clone(input)
  }

  /// Reads a part of a file as a sample; returns false if that fails.
  ///
  /// The failure is reported when the file is read for packing.
  func readSample(
    _ file: AssetFile, range: Range<Int64>, by opener: inout AssetOpener, into buffer: inout ByteBuffer
  ) -> Bool {
    if file.pointer != nil { return false }
    let before = buffer.count
    defer { readCounter.addRead(Int64(buffer.count - before)) }
    do {
      let input = try opener.open(file.path, below: root)
      try input.read(range.count, at: range.lowerBound, into: &buffer)
    } catch {
      return false
    }
    return buffer.count - before == range.count
  }

  func acquireBuffer() -> ByteBuffer { free.change { $0.popLast() } ?? ByteBuffer() }

  func releaseBuffer(_ buffer: consuming ByteBuffer) {
    buffer.clear()
    let buffer = buffer
    free.change { $0.append(buffer) }
  }

  private func report(_ check: Check, file: AssetFile, message: String) {
    report(plan.finding(check, file: file, statement: message))
  }

  private func report(_ finding: Diagnostic) {
    found.change { if !$0.contains(finding) { $0.append(finding) } }
  }
}

extension AssetFile {
  /// The message about a pointer if a pack needs the real file.
  ///
  /// In the message, this text follows the pointer's name.
  static let missingContent =
    "is a pointer, but the build needs the real file to write its pack; run \"git lfs pull\" or \"git annex "
    + "get\" for the file"
}
