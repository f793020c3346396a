/// Whether one pack is kept, taken over or written.
package enum BuildDecision: Sendable, Hashable {
  case keep(Proof)
  /// A release publishes the same contents, so the pack is named as it is there and not written.
  case takeOver
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
