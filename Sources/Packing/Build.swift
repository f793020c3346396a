package import Formats
import Pipeline
import System

extension BuildRequest {
  /// Builds: reads, scans, plans and checks; decides which packs are kept, named as in another release or written;
  /// packs; publishes.
  ///
  /// The command `build` takes the same four steps in `BuildCommand.swift`, with findings about updates and a line of
  /// progress between them. This function is for callers that need neither.
  ///
  /// Each step may refuse the build by its findings. The later steps then write nothing and hand the findings on;
  /// `decide` first adds those about the contents of files, so that one run reports everything. If `pack` refuses, its
  /// temporary files are removed when its result is released.
  ///
  /// `check` takes the lock of a folder that has a build, `pack` that of a new one; it is held as long as the values of
  /// the steps. `pack` also makes patches. `publish` renames files into their places, the index last.
  ///
  /// - Throws: `MissingURLPrefix`, `BusyFolder` if another build has the output folder, `InterruptedBuild`, or if the
  ///   machine fails. Mistakes in the input are findings of the result.
  package func run(_ policy: Policy) throws -> BuildResult {
    try Self.retrying {
      let checked = try check(policy)
      let decided = try checked.decide()
      let packed = try decided.pack()
      return try packed.publish()
    }
  }

  /// Runs a build again if it was refused and a release that patches start from has changed since: it may have been
  /// refused for what it read in the middle of that change.
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
  /// Whether the build was refused, and a release that patches start from has changed since the build read it.
  fileprivate var mayHaveReadChangingRelease: Bool {
    get throws(SystemError) {
      if release != nil { return false }
      for old in baselines where try old.hasChanged { return true }
      return false
    }
  }
}
