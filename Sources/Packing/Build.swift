package import Formats
import Pipeline
import System

extension BuildRequest {
  /// Runs the four steps of a build: check, decide, pack and publish.
  ///
  /// `check` reads the manifest, scans the files, plans packs and checks them. `decide` decides whether each
  /// pack is kept, reused from a release, or written.
  ///
  /// The command `build` runs the same four steps in `BuildCommand.swift`, with findings about updates and a
  /// progress line between them. This function is for callers that need neither.
  ///
  /// Each step can refuse the build because of its findings. The later steps then write nothing and pass the
  /// findings on. `decide` first adds the findings about the contents of files, so that one run reports
  /// everything. If `pack` refuses, its temporary files are removed when its result is released.
  ///
  /// `check` takes the lock of an output folder that has a build, and `pack` takes the lock of a new one. The
  /// values of the steps hold the lock. `pack` also makes patches. `publish` renames files to their final
  /// names, the index last.
  ///
  /// - Throws: `MissingURLPrefix`, `BusyFolder` if another build has locked the output folder,
  ///   `InterruptedBuild`, or if the system fails. Mistakes in the input are findings of the result.
  package func run(_ policy: Policy) throws -> BuildResult {
    try Self.retrying {
      let checked = try check(policy)
      let decided = try checked.decide()
      let packed = try decided.pack()
      return try packed.publish()
    }
  }

  /// Runs a build, and runs it again if it was refused and an earlier release for patches has changed since.
  ///
  /// The build might have been refused only because it read the release while it was changing.
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
  /// Whether the build was refused, and a release that patches start from has changed since the build read
  /// it.
  fileprivate var mayHaveReadChangingRelease: Bool {
    get throws(SystemError) {
      if release != nil { return false }
      for old in baselines where try old.hasChanged { return true }
      return false
    }
  }
}
