package import Formats
package import Model
package import Pipeline
import System

/// The input, output and settings of a build.
package struct BuildRequest: Sendable {
  /// The manifest or project, and the values with which the command line overrides it.
  package var input: Preparation.Request
  /// The path of the output folder as the user typed it.
  package var output: String
  package var layout = LayoutChoice()
  /// The compression that overrides the compression in the manifest; nil to use the manifest's.
  package var compression: Compression?
  /// The modification time for every entry of a pack, in seconds since 1970.
  package var entryTime: Int64
  /// Whether the entry time also replaces the files' own times in layouts that normally keep them.
  package var hasSourceDate = false
  /// Whether to keep packs that are not in the new index.
  package var keepsOld = false
  /// Whether to use the build cache.
  package var usesRecord = true
  /// Whether the output folder keeps the lock and the build cache after the build.
  package var state = OutputState.kept
  /// Whether the result has a depfile for make and ninja.
  package var wantsDepfile = false
  /// Further files that the result depends on: the signing key, its password file, and indexes that the build
  /// is compared with.
  package var otherInputs: [String] = []
  /// Whether the duration of each part of packing is measured for each file.
  package var measuresParts = false
  /// The published release whose packs are reused if they have the same contents.
  package var reusedRelease: Release?
  /// The folders of earlier releases that patches are made from.
  package var patchFrom: [String] = []
  /// The maximum number of releases that patches are made from.
  package static let maxBaselines = 8
  /// The signature settings; nil for a release without a signature.
  package var signing: Signing?
  /// The shard to build; nil for the whole build.
  package var shard: ShardKind?
  /// The policy for a folder that another build has locked.
  package var lockWait = OutputLock.WaitPolicy.fails
  /// The caller's findings about the request, such as a finding about a key that other users can read.
  package var findings: [Diagnostic] = []
  package init(_ input: Preparation.Request, output: String, entryTime: Int64) {
    self.input = input
    self.output = output
    self.entryTime = entryTime
  }

  /// The output folder in the layout of a whole build.
  var folder: OutputFolder { OutputFolder(output, layout: layout.layout) }
}

extension BuildRequest {
  /// The path, relative to the output folder, of the file that readers of the build open first.
  package var indexName: String { shard == nil ? layout.layout.indexName : PublishedNames.shardFile }

  /// The path of the output folder, as messages show it.
  package var outputPath: String { folder.path }
}
