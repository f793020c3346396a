import Findings
import PackKit
import System

/// The digests of all files of a plan, read on several threads.
struct ContentDigests {
  /// The digests by the file's index in the tree; zero for unreadable files.
  let digests: [Digest]
  /// Findings about files that are missing, changed since the scan, or unreadable.
  let diagnostics: [Diagnostic]

  /// Reads every file below an open root folder, except those with a known digest.
  init(
    of plan: PackPlan, root: Folder, known: KnownFiles = .nothing, reads: AssetReads = AssetReads(), jobs: Int
  ) throws(SystemError) {
    let files = plan.tree.files
    let findings = Monitor([Diagnostic]())
    digests = try onThreads(jobs, each: Array(files.indices)) { number throws(SystemError) in
      if let known = known.digest(number) { return known }
      do throws(SystemError) {
        let digest = try Self.digest(of: files[number], below: root)
        reads.addRead(files[number].size)
        reads.addHashed(files[number].size)
        return digest
      } catch {
        guard let finding = plan.finding(about: files[number], error) else { throw error }
        findings.change { $0.append(finding) }
        return .zero
      }
    }
    diagnostics = findings.change { $0 }
  }

  private static func digest(of file: AssetFile, below root: Folder) throws(SystemError) -> Digest {
    let input = try root.openFile(Array(file.path.utf8))
    let digest = try input.digest()
    let status = try input.status()
    // A file that grew would get a digest that does not match its size.
    guard status.kind == .file, status.size == file.size, status.identity == file.stamp.identity else {
      throw SystemError("read", file.path, code: SystemError.truncated)
    }
    return digest
  }
}

extension PackPlan {
  /// The finding about an unreadable file; nil if the machine has failed.
  fileprivate func finding(about file: AssetFile, _ error: SystemError) -> Diagnostic? {
    let place = place(of: file)
    if error.isMissing || error.isNoFile || error.code == SystemError.truncated {
      let message = "the file \(quoted(file.path)) changed while it was read; compare again once it rests"
      return Diagnostic(.fileChanged, message, at: place)
    }
    if error.isDenied {
      let message = "the file \(quoted(file.path)) cannot be read: permission denied"
      return Diagnostic(.unreadableFile, message, at: place)
    }
    return nil
  }
}
