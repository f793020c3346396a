package import Findings
package import System

/// The digests of files of a plan, read on several threads.
package struct ContentDigests {
  /// The digests in the order of the files that were asked for; zero for unreadable files.
  package let digests: [Digest]
  /// Findings about files that are missing, changed since the scan, or unreadable.
  package let diagnostics: [Diagnostic]

  /// Reads files below an open root folder, except pointers and those with a known digest; `files` are their indices
  /// in the tree, nil for all.
  package init(
    of plan: PackPlan, files: [Int]? = nil, root: Folder, known: KnownFiles = .nothing,
    reads: AssetReads = AssetReads(), jobs: Int
  ) throws(SystemError) {
    let known = known.adding(plan)
    let findings = Monitor([Diagnostic]())
    digests = try onThreads(jobs, each: files ?? Array(plan.tree.files.indices)) {
      number throws(SystemError) in
      if let known = known.digest(number) { return known }
      let file = plan.tree.files[number]
      do throws(SystemError) {
        let digest = try Self.digest(of: file, below: root)
        reads.addRead(file.size)
        reads.addHashed(file.size)
        return digest
      } catch {
        guard let finding = plan.finding(about: file, error) else { throw error }
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
    if error.isMissing || error.isNoFile || error.code == SystemError.truncated {
      return finding(.fileChanged, file, "changed while it was read; start again once it rests")
    }
    return error.isDenied ? finding(.unreadableFile, file, "cannot be read: permission denied") : nil
  }
}
