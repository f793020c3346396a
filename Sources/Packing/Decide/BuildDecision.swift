import Model
import Pipeline

/// Whether one pack is kept, taken over or written.
package enum BuildDecision: Sendable, Hashable {
  case keep(Proof)
  /// A release publishes the same contents, so the pack is named as it is there and not written.
  case reuse
  case write(Reason)

  /// The evidence that a pack is unchanged.
  package enum Proof: Sendable, Hashable {
    /// All times, sizes and inodes are as recorded.
    case times
    /// Some times are not as recorded, but all digests are.
    case digests
  }

  /// Why a pack is written; paths are inside the pack.
  package enum Reason: Sendable, Hashable {
    case noRecord
    case newPack
    case otherSettings([SettingsKey.Change])
    case archiveChanged
    /// The pack was published under another name.
    case renamed
    /// The record's entry of the pack contradicts itself or the index.
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
  /// Whether a pack of the plan is kept or written, and why.
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
    // Compared only where the files are unchanged.
    if !archives[number].isSame { return .write(.archiveChanged) }
    let isProvedByTimes = archives[number] == .untouched && compared.isDisjoint(with: files)
    return .keep(isProvedByTimes ? .times : .digests)
  }
}
