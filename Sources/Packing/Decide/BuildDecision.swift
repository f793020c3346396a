import Model
import Pipeline

/// The decision to keep a pack, to reuse it from an earlier release, or to write it.
package enum BuildDecision: Sendable, Hashable {
  case keep(Proof)
  /// An earlier release has published the same contents.
  ///
  /// The pack gets the name that it has in that release, and the build does not write it.
  case reuse
  case write(Reason)

  /// The evidence that a pack is unchanged.
  package enum Proof: Sendable, Hashable {
    /// All times, sizes and inodes are equal to those in the build cache.
    case times
    /// Some times differ from those in the build cache, but all digests are equal.
    case digests
  }

  /// The reason why a pack is written.
  ///
  /// Paths in a reason are relative to the pack.
  package enum Reason: Sendable, Hashable {
    case noRecord
    case newPack
    case otherSettings([SettingsKey.Change])
    case archiveChanged
    /// The pack was published under another name.
    case renamed
    /// The pack's entry in the build cache contradicts itself or the index.
    case recordDamaged
    case added(String)
    case removed(String)
    case changed(String)
  }

  /// Whether the pack is kept.
  package var isKeep: Bool { if case .keep = self { true } else { false } }

  /// Whether the pack is written.
  package var isWrite: Bool { if case .write = self { true } else { false } }
}

extension LastBuild {
  /// Decides whether a pack of the plan is kept or written, with the reason.
  func decision(onPack number: Int, settings: SettingsKey) -> BuildDecision {
    guard let old = match.packs[number] else { return .write(.newPack) }
    if key != settings { return .write(.otherSettings(settings.changes(since: key))) }
    if isDamaged(number) { return .write(.recordDamaged) }
    if archives[number] == .missing { return .write(.archiveChanged) }
    let files = plan.packs[number].files
    let changed = files.indices.first { match.files[files[$0]].map { !$0.isSame } ?? false }
    if let difference = old.difference, difference.fileIndex ?? .max < changed ?? .max || changed == nil {
      return .write(difference.reason)
    }
    if let changed { return .write(.changed(plan.tree.files[files[changed]].packPath)) }
    // The files of the pack are unchanged, but its archive is not.
    if !archives[number].isSame { return .write(.archiveChanged) }
    let isProvedByTimes = archives[number] == .untouched && compared.isDisjoint(with: files)
    return .keep(isProvedByTimes ? .times : .digests)
  }
}
