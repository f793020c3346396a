package import Formats
import Pipeline
import System

extension BuildRequest {
  /// Runs the four steps of a build: check, decide, pack and publish.
  ///
  /// `check` reads the manifest, scans the files, plans packs and checks them. `decide` decides whether each
  /// pack is kept, reused from a release, or written.
  ///
  /// The command `build` runs the same four steps in `BuildCommand.swift`, but with findings about updates
  /// and a progress line between the steps. This function is for callers that need neither of these, such as
  /// the second build after `build --package` has made archives. One function for both would need callbacks, because this target does not import the code that compares
  /// releases. Each step is a method of the result of the previous step, so the two callers cannot leave out a
  /// step or change the order.
  ///
  /// Each step can refuse the build because of its findings. The later steps then write nothing and only pass
  /// on the findings. `decide` first adds the findings about the contents of files, so that a single run
  /// reports all findings. If `pack` refuses the build, its temporary files are removed when its result is
  /// released from memory.
  ///
  /// If the output folder already contains a build, `check` locks the folder. If the folder is new, `pack`
  /// locks it. The results of the steps hold the lock. `pack` also makes patches. `publish` renames files to
  /// their final names; the index is renamed last.
  ///
  /// - Throws: `MissingURLPrefix`, `BusyFolder` if another build has locked the output folder,
  ///   `InterruptedBuild`, or another error if the system fails. Mistakes in the input are not thrown; they
  ///   are findings in the result.
  package func run(_ policy: Policy) throws -> BuildResult {
    try Self.retrying {
      let checked = try check(policy)
      let decided = try checked.decide()
      let packed = try decided.pack()
      return try packed.publish()
    }
  }

  /// Runs a build.
  ///
  /// Runs the build again if it was refused and an earlier release, from which patches start, has changed in
  /// the meantime.
  ///
  /// In this case, the build might have been refused only because it read the release while the release was
  /// changing.
  package static func retrying(_ build: () throws -> BuildResult) throws -> BuildResult {
    for _ in 1..<maxTries {
      let result = try build()
      if try !result.mayHaveReadChangingRelease { return result }
    }
    return try build()
  }

  private static let maxTries = 3
}

extension BuildResult {
  /// Whether the build was refused and one of the releases that patches start from has changed since the
  /// build read it.
  fileprivate var mayHaveReadChangingRelease: Bool {
    get throws(SystemError) {
      if release != nil { return false }
      for old in baselines where try old.hasChanged { return true }
      return false
    }
  }
}
