import Archiving
import Synchronization

/// The digests of all files of a plan, read on several threads.
struct ContentDigests {
  /// By the file's number in the tree; zero where it could not be read.
  private(set) var digests: [Digest]
  /// What went away or changed since it was scanned, or may not be read.
  private(set) var diagnostics: [Diagnostic] = []

  /// What the workers share.
  fileprivate struct Progress {
    var digests: [Digest]
    var diagnostics: [Diagnostic] = []
    var failure: SystemError?
  }

  /// Reads every file but those of which `prior` knows that they have not changed.
  init(of plan: PackPlan, prior: PriorBuild? = nil, jobs: Int) throws(SystemError) {
    let files = plan.tree.files
    let next = Atomic(0)
    let progress = Monitor(Progress(digests: Array(repeating: .zero, count: files.count)))
    onThreads(jobs) { _ in
      while true {
        let number = next.add(1, ordering: .relaxed).oldValue
        if number >= files.count { return }
        do throws(SystemError) {
          let digest: Digest
          if let known = prior?.file(number)?.packed.digest {
            digest = known
          } else {
            digest = try Self.digest(of: files[number], in: plan)
          }
          progress.change { $0.digests[number] = digest }
        } catch {
          progress.change { $0.note(error, about: files[number], in: plan) }
        }
      }
    }
    let result = progress.change { $0 }
    if let failure = result.failure { throw failure }
    digests = result.digests
    diagnostics = result.diagnostics
  }

  private static func digest(of file: AssetFile, in plan: PackPlan) throws(SystemError) -> Digest {
    let input = try plan.tree.root.openFile(Array(file.path.utf8))
    let digest = try input.digest()
    let status = try input.status()
    // A file that grew has another digest than its size says.
    guard status.kind == .file, status.size == file.size else {
      throw SystemError("read", file.path, code: SystemError.truncated)
    }
    return digest
  }
}

extension ContentDigests.Progress {
  fileprivate mutating func note(_ error: SystemError, about file: AssetFile, in plan: PackPlan) {
    let place = plan.place(of: file)
    if error.isMissing || error.code == SystemError.truncated {
      let message = "the file \(quoted(file.path)) changed while it was read; compare again once it rests"
      diagnostics.append(Diagnostic(.fileChanged, message, at: place))
    } else if error.isDenied {
      let message = "the file \(quoted(file.path)) may not be read"
      diagnostics.append(Diagnostic(.unreadableFile, message, at: place))
    } else {
      failure = failure ?? error
    }
  }
}
