package import Formats
package import Model
package import Pipeline
import System

/// The input, output and settings of a build.
package struct BuildRequest: Sendable {
  /// The manifest or project, with what the command line overrides.
  package var input: Preparation.Request
  /// The path of the output folder as the user typed it.
  package var output: String
  package var layout = LayoutChoice()
  /// Overrides the manifest's compression.
  package var compression: Compression?
  /// The time of every entry, in seconds since 1970.
  package var entryTime: Int64
  /// Whether the entry time replaces the files' own times in layouts that keep those.
  package var hasSourceDate = false
  /// Whether packs that the new index does not name are kept.
  package var keepsOld = false
  /// Whether the record of the last build may be used.
  package var usesRecord = true
  /// Whether the result has a depfile for make and ninja.
  package var wantsDepfile = false
  /// The files that the result depends on besides those of the manifest: the key, its password, indexes to compare with.
  package var otherInputs: [String] = []
  /// Whether the parts of packing are measured, for each file.
  package var measuresParts = false
  /// The published release whose packs are taken over where they have the same contents.
  package var reusedRelease: Release?
  /// The folders of earlier releases that patches are made from.
  package var patchFrom: [String] = []
  /// The most releases that patches are made from.
  package static let maxBaselines = 8
  /// How the release is signed; nil for one without a signature.
  package var signing: Signing?
  /// The part to build; nil for the whole.
  package var shard: Shard?
  /// The wait for another build that holds the lock on the folder.
  package var lockWait = OutputLock.WaitPolicy.fails
  /// Findings of the caller about the request, such as one about a key that other users can read.
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
  /// The published file that a reader of the build opens first, relative to the output folder.
  package var indexName: String { shard == nil ? layout.layout.indexName : PublishedNames.shardFile }

  /// The output folder's path for messages.
  package var outputPath: String { folder.path }
}
