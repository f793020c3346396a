import PackKit

/// The changes that a build made in its output folder; paths are relative to it.
package struct OutputChanges: Sendable {
  /// Packs that this build gave their names or other contents.
  package internal(set) var written: [String] = []
  /// Packs and lists that were removed, in byte order.
  package internal(set) var removed: [String] = []
  /// The number of packs that were removed, without lists and manifests beside them.
  package var removedPacks: Int {
    removed.count { path in
      !path.hasPrefix("\(PublishedNames.patchesFolder)/")
        && ![".json", ".plist", ".aar"].contains { path.hasSuffix($0) }
    }
  }
  /// Whether the index or a list was written.
  var isListWritten = false
  /// Patches that this build wrote, in byte order.
  package internal(set) var patches: [String] = []

  /// Whether nothing was written but what serves the next build.
  package var isNothingWritten: Bool { written.isEmpty && patches.isEmpty && !isListWritten }
}
