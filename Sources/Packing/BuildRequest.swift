package import Findings
package import PackKit
package import Projects
import System

/// What a build is asked to do.
package struct BuildRequest: Sendable {
  /// The manifest or project, and what a command line changes about it.
  package var input: Preparation.Request
  /// The folder to write to, as the user would type it.
  package var output: String
  package var layout = LayoutChoice()
  /// The compression in place of the manifest's.
  package var compression: Compression?
  /// The time of every entry, in seconds since 1970.
  package var entryTime: Int64
  /// Whether that time stands for the files' own wherever a layout would keep them.
  package var hasSourceDate = false
  /// Whether packs stay that the new index does not name.
  package var keepsOld = false
  /// Whether what the last build left behind may spare work.
  package var usesRecord = true
  /// Whether the result tells what the build depends on, for make and ninja.
  package var wantsDepfile = false
  /// What to do where another build is writing to the folder.
  package var patience = OutputLock.Patience.fails
  /// Checks of the plan that need more than the plan, such as what an update costs.
  package var moreChecks: [@Sendable (Preparation, KnownFiles) throws -> [Diagnostic]] = []

  package init(_ input: Preparation.Request, output: String, entryTime: Int64) {
    self.input = input
    self.output = output
    self.entryTime = entryTime
  }

  var folder: OutputFolder { OutputFolder(output, layout: layout.layout) }

  /// What the bytes of packs depend on besides files.
  func settings(for manifest: Manifest) throws(MissingURLPrefix) -> PackSettings {
    PackSettings(
      container: manifest.container, compression: compression ?? manifest.compression, modified: entryTime,
      layout: layout.layout,
      xcode: try layout.settings(for: manifest, sourceDate: hasSourceDate ? entryTime : nil))
  }
}

/// What a build tells while it runs.
package struct BuildObserver: Sendable {
  /// Called once the files have been scanned; what it throws ends the build.
  package var prepared: @Sendable (Preparation) throws -> Void
  /// Called before packs are written; what it returns is told, from any thread, how many bytes more were packed.
  package var packing: @Sendable (PackPlan) -> (@Sendable (Int64) -> Void)?

  package init(
    prepared: @escaping @Sendable (Preparation) throws -> Void = { _ in },
    packing: @escaping @Sendable (PackPlan) -> (@Sendable (Int64) -> Void)? = { _ in nil }
  ) {
    self.prepared = prepared
    self.packing = packing
  }
}

/// How a build ended.
package struct BuildResult: Sendable {
  /// What became of the output folder.
  package enum Outcome: Sendable {
    /// It is as it was: there are errors.
    case refused
    /// All that would be published stood there already.
    case unchanged(Release)
    case published(Release)
  }

  package let prepared: Preparation
  package let outcome: Outcome
  /// All that was found, as no policy has judged it yet.
  package let findings: [Diagnostic]
  /// For each pack of the plan; empty where the build was refused before it decided.
  package let decisions: [BuildDecision]
  package let timings: Timings
  /// What the build depends on; nil where nobody asked for it, or there is no plan.
  package let depfile: Depfile?

  init(
    _ prepared: Preparation, _ outcome: Outcome, _ findings: [Diagnostic], _ decisions: [BuildDecision],
    _ timings: Timings, _ depfile: Depfile?
  ) {
    self.depfile = depfile
    self.prepared = prepared
    self.outcome = outcome
    self.findings = findings
    self.decisions = decisions
    self.timings = timings
  }

  /// What stands in the output folder; nil where the build was refused.
  package var release: Release? {
    switch outcome {
    case .refused: nil
    case .unchanged(let release), .published(let release): release
    }
  }
}

/// What is done about one pack.
package enum BuildDecision: Sendable, Hashable {
  case keep
  case write(Reason)

  /// Why a pack is written; paths are those inside the pack.
  package enum Reason: Sendable, Hashable {
    case noRecord
    case newPack
    /// The settings or versions, all of them in one text.
    case otherSettings(String)
    case archiveChanged
    case added(String)
    case removed(String)
    case changed(String)
    /// The file was as young as the last build, so that its time tells nothing.
    case young(String)
  }

  var isKeep: Bool { self == .keep }
}

extension BuildRequest {
  /// The output folder's path as messages show it.
  package var outputPath: String { folder.path }
}

extension BuildResult {
  /// Whether all that would be published stood in the output folder already.
  package var isUnchanged: Bool { if case .unchanged = outcome { true } else { false } }
}
