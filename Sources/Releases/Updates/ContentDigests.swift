import Findings
import PackKit
import System

/// The digests of all files of a plan, read on several threads.
struct ContentDigests {
  /// By the file's number in the tree; zero where it could not be read.
  let digests: [Digest]
  /// What went away or changed since it was scanned, or may not be read.
  let diagnostics: [Diagnostic]

  /// Reads every file below an open root folder but those that are known.
  init(of plan: PackPlan, root: Folder, known: KnownFiles = .nothing, jobs: Int) throws(SystemError) {
    let files = plan.tree.files
    let findings = Monitor([Diagnostic]())
    digests = try onThreads(jobs, each: Array(files.indices)) { number throws(SystemError) in
      if let known = known.digest(number) { return known }
      do throws(SystemError) {
        return try Self.digest(of: files[number], below: root)
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
    // A file that grew has another digest than its size says.
    guard status.kind == .file, status.size == file.size, status.identity == file.stamp.identity else {
      throw SystemError("read", file.path, code: SystemError.truncated)
    }
    return digest
  }
}

extension PackPlan {
  /// What an error says of a file that could not be read; nil where the machine is to blame.
  fileprivate func finding(about file: AssetFile, _ error: SystemError) -> Diagnostic? {
    let place = place(of: file)
    if error.isMissing || error.isNoFile || error.code == SystemError.truncated {
      let message = "the file \(quoted(file.path)) changed while it was read; compare again once it rests"
      return Diagnostic(.fileChanged, message, at: place)
    }
    if error.isDenied {
      let message = "the file \(quoted(file.path)) may not be read"
      return Diagnostic(.unreadableFile, message, at: place)
    }
    return nil
  }
}
