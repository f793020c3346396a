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
  package var onto: Release?
  /// The folders of earlier releases that patches are made from.
  package var patchFrom: [String] = []
  /// The most releases that patches are made from.
  package static let mostBaselines = 8
  /// How the release is signed; nil for one without a signature.
  package var signing: Signing?
  /// The part to build; nil for the whole.
  package var shard: Shard?
  /// The wait for another build that holds the lock on the folder.
  package var patience = OutputLock.Patience.fails
  /// Checks that need more than the plan, such as the budgets of an update.
  package var moreChecks: [@Sendable (Preparation, KnownFiles) throws -> [Diagnostic]] = []

  package init(_ input: Preparation.Request, output: String, entryTime: Int64) {
    self.input = input
    self.output = output
    self.entryTime = entryTime
  }

  var folder: OutputFolder { OutputFolder(output, layout: layout.layout) }
  /// The time that replaces the files' own in layouts that keep those; nil if files keep theirs.
  private var sourceDate: Int64? { hasSourceDate ? entryTime : nil }

  /// The settings on which the bytes of packs depend; nil without a manifest.
  func settings(for prepared: Preparation, after baselines: [PatchBaseline]) throws -> PackSettings? {
    guard let manifest = prepared.manifest else { return nil }
    var settings = PackSettings(
      container: manifest.container, compression: compression ?? manifest.compression, modified: entryTime,
      layout: layout.layout,
      xcode: try layout.settings(for: manifest, sourceDate: sourceDate))
    if var signing {
      for old in baselines { try signing.follow(old.index, at: old.indexPath) }
      settings.layout = PacktoolLayout(signing: signing)
    } else if let settled = try layout.settledLayout(
      for: prepared, sourceDate: sourceDate, output: folder.path)
    {
      settings.layout = settled
    }
    return settings
  }

  /// The part of a plan to be built, with the settings that publish it as such.
  func part(of plan: PackPlan?, _ settings: PackSettings?) -> (PackPlan?, PackSettings?) {
    guard let shard, let plan, let settings else { return (plan, settings) }
    var own = settings
    own.layout = ShardLayout(
      base: settings.layout, format: ShardFormat(shard: shard, whole: plan, settings: settings))
    return (plan.part(shard.packs(of: plan)), own)
  }
}

/// Callbacks of a running build.
package struct BuildObserver: Sendable {
  /// Called once the files have been scanned; an error that it throws ends the build.
  package var prepared: @Sendable (Preparation) throws -> Void
  /// Called before packs are written, with the findings so far; the function that it returns is called on any thread
  /// with the number of bytes packed since the last call, and the file that they are of.
  package var packing: @Sendable (PackPlan, [BuildDecision], [Diagnostic]) -> PackProgress?
  /// Called with the release before it is published, whose patches are known; returns more findings.
  package var packed: @Sendable (Release) -> [Diagnostic]

  package init(
    prepared: @escaping @Sendable (Preparation) throws -> Void = { _ in },
    packing: @escaping @Sendable (PackPlan, [BuildDecision], [Diagnostic]) -> PackProgress? = { _, _, _ in nil
    },
    packed: @escaping @Sendable (Release) -> [Diagnostic] = { _ in [] }
  ) {
    self.prepared = prepared
    self.packing = packing
    self.packed = packed
  }
}

/// How a build ended.
package struct BuildResult: Sendable {
  package let prepared: Preparation
  /// The plan that was built, perhaps a part of the prepared one; nil without a plan.
  package let plan: PackPlan?
  package let timings: Timings
  /// The state of the output folder; nil if the build was refused.
  var ended: (release: Release, changes: OutputChanges)?
  /// The release in the output folder; nil if the build was refused.
  package var release: Release? { ended?.release }
  /// The changes in the output folder; nothing if the build was refused.
  package var changes: OutputChanges { ended?.changes ?? OutputChanges() }
  /// All findings, before the policy sets their severity.
  package internal(set) var findings: [Diagnostic] = []
  /// One for each pack of the plan; empty if the build was refused before the decisions.
  package internal(set) var decisions: [BuildDecision] = []
  /// The files that the build depends on; nil if not requested, or without a plan.
  package internal(set) var depfile: Depfile?

  var baselines: [PatchBaseline] = []
  /// Those without mistakes; one whose mistakes are accepted is left out.
  var usableBaselines: [PatchBaseline] { baselines.filter(\.diagnostics.isEmpty) }

  /// The paths of the packs that were left as they are, relative to the output folder.
  package var kept: [String] {
    let written = Set(changes.written)
    let packs = release?.packs.compactMap(\.published).filter { !$0.isElsewhere } ?? []
    return packs.map(\.archive.path).filter { !written.contains($0) }
  }

  /// Adds findings; whether the policy accepts them.
  mutating func passes(_ found: [Diagnostic], _ policy: Policy) -> Bool {
    findings += found
    return policy.accepts(found)
  }

  /// The bytes of assets that were read and hashed.
  package var reads: AssetReads.Count { prepared.reads.count }
}

extension BuildRequest {
  /// The published file that a reader of the build opens first, relative to the output folder.
  package var indexName: String { shard == nil ? layout.layout.indexName : PublishedNames.part }

  /// The output folder's path for messages.
  package var outputPath: String { folder.path }
}

extension BuildResult {
  /// Whether the same build was published already, even if packs were made again to see that.
  package var isUnchanged: Bool { release != nil && changes.isNothingWritten }
}
