import Archiving
import PackKit
import System

/// Compares the digests of files and archives whose times do not prove that they are unchanged.
///
/// Only where that can spare work: a file of a pack that is written anyway is compared if its compressed bytes can be
/// copied.
struct ContentComparison: Sendable {
  let plan: PackPlan
  let root: Folder
  let output: OutputFolder
  let match: RecordMatch
  let reads: AssetReads

  /// Reads at most as many bytes at once.
  private static let batchSize: Int64 = 16 << 20
  private static let mostFilesInBatch = 512

  /// What one thread compares at once: files by their index in the tree, or the archive of a pack.
  private typealias Task = (files: [Int], archive: Int?)

  /// The last build with everything that is unchanged.
  func lastBuild(jobs: Int) throws(SystemError) -> LastBuild {
    var archives = plan.packs.indices.map { match.packs[$0].map { state(of: $0.recorded) } ?? .other }
    let tasks = tasks(archives)
    let found = try onThreads(jobs, each: tasks) { task throws(SystemError) in try compare(task) }
    var compared = match
    for same in found {
      for number in same.files { compared.files[number]?.isUnchanged = true }
      if let pack = same.archive { archives[pack] = .sameBytes }
    }
    return LastBuild(
      plan: plan, match: compared, archives: archives, list: state(of: match.list),
      compared: Set(tasks.flatMap(\.files)))
  }

  /// The proof by the times of an archive.
  private func state(of pack: BuildRecord.Pack) -> LastBuild.PublishedState {
    guard let stamp = output.stamp(of: pack.published.archive) else { return .missing }
    return stamp == pack.stamp ? .untouched : .other
  }

  private func state(of list: BuildRecord.List) -> LastBuild.PublishedState {
    guard let stamp = output.stamp(of: list.published) else { return .missing }
    if stamp == list.stamp { return .untouched }
    return output.isSame(list.published) ? .sameBytes : .other
  }

  private func tasks(_ archives: [LastBuild.PublishedState]) -> [Task] {
    var tasks: [Task] = []
    for pack in plan.packs.indices where match.packs[pack] != nil && archives[pack] != .missing {
      let files = candidates(in: pack)
      let isUsed = match.packs[pack]?.difference == nil || plan.packs[pack].files.contains(where: isCopied)
      if archives[pack] == .other && isUsed { tasks.append(([], pack)) }
      tasks += batches(of: files).map { ($0, nil) }
    }
    return tasks
  }

  /// The files of a pack to be compared.
  private func candidates(in pack: Int) -> [Int] {
    let isWritten = match.packs[pack]?.difference != nil
    return plan.packs[pack].files.filter { number in
      guard let file = match.files[number], !file.isUnchanged else { return false }
      return !isWritten || isCopied(number)
    }
  }

  /// Whether copying a file's bytes from the archive spares compressing them.
  private func isCopied(_ number: Int) -> Bool { match.files[number]?.packed.entry?.method == .deflated }

  private func batches(of files: [Int]) -> [[Int]] {
    var batches: [[Int]] = []
    var start = 0
    var size: Int64 = 0
    for (place, number) in files.enumerated() {
      let next = plan.tree.files[number].size
      if start < place, size + next > Self.batchSize || place - start == Self.mostFilesInBatch {
        batches.append(Array(files[start..<place]))
        (start, size) = (place, 0)
      }
      size += next
    }
    if start < files.count { batches.append(Array(files[start...])) }
    return batches
  }

  /// The part of a task that is the same as recorded.
  private func compare(_ task: Task) throws(SystemError) -> Task {
    var same: Task = ([], nil)
    if let pack = task.archive, let published = match.packs[pack]?.recorded.published {
      if try output.isSame(published, info: output.layout.info(of: plan.packs[pack])) { same.archive = pack }
      reads.addHashed(published.archive.file.size)
    }
    var opener = AssetOpener()
    var buffer = ByteBuffer()
    for number in task.files {
      let file = plan.tree.files[number]
      if try digest(of: file, by: &opener, &buffer) == match.files[number]?.packed.digest {
        same.files.append(number)
      }
    }
    return same
  }

  /// A file's digest; nil if it cannot be read, or changed since the scan, which packing will find again.
  private func digest(
    of file: AssetFile, by opener: inout AssetOpener, _ buffer: inout ByteBuffer
  ) throws(SystemError) -> Digest? {
    if let pointer = file.pointer { return pointer.digest }
    do throws(SystemError) {
      let input = try opener.open(file.path, below: root)
      let digest = try input.digest(ofFirst: file.size, through: &buffer)
      reads.addRead(file.size)
      reads.addHashed(file.size)
      // Checked after reading, so that the time shows a change during the read.
      let status = try input.status()
      return status.size == file.size && FileStamp(status) == file.stamp ? digest : nil
    } catch {
      guard error.isMissing || error.isDenied || error.isNoFile || error.isLink else { throw error }
      return nil
    }
  }
}
