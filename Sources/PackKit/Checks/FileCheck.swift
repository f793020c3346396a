package import Findings
import Formats

/// A check of a plan's files: their names, tags and paths inside packs.
package struct FileCheck: Sendable {
  /// The input of a check.
  package struct Input: Sendable {
    package let plan: PackPlan
    /// The number of threads that a check may use.
    package let jobs: Int
    /// The classes of devices that count.
    package let devices: [DeviceClass]

    package init(plan: PackPlan, jobs: Int = 1, devices: [DeviceClass] = []) {
      self.plan = plan
      self.jobs = jobs
      self.devices = devices
    }
  }

  /// The kinds of findings that it reports.
  package let kinds: [Check]
  /// All findings of the check.
  package let find: @Sendable (Input) -> [Diagnostic]

  package init(_ kinds: Check..., find: @escaping @Sendable (Input) -> [Diagnostic]) {
    self.kinds = kinds
    self.find = find
  }

  /// Every check of files that does not read them.
  package static let all: [FileCheck] = firm + conclusions
  /// Those whose findings hold even if a rule is wrong.
  static let firm: [FileCheck] = [tooManyTags] + paths + variants
  /// Conclusions from a plan, which wait until all rules are right.
  private static let conclusions = [untaggedFolders]
}

extension PackPlan {
  /// The place where the manifest first uses one of these tags.
  package func place(ofTags tags: [String]) -> Place {
    let first = tags.lazy.compactMap { manifest.firstPlaces[$0] ?? tree.madeTags[$0]?.offset }.first
    return manifest.text.place(at: first ?? manifest.rulesOffset)
  }

  /// The place of a file for findings, by the path that the user would type.
  package func place(of file: AssetFile) -> Place { Place(joined(manifest.rootPath, file.path)) }
}
