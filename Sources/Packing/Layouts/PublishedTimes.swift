import Findings
import Formats
import PackKit
import System

/// The times by which the published manifest of an output folder shows that packs have changed.
///
/// Files that join or leave a pack may be older than those that stay, so the newest time alone does not change
/// whenever the content does.
struct PublishedTimes {
  private var times: [String: ModificationTime] = [:]

  /// The times in a folder; none where no manifest can be read.
  ///
  /// - Throws: if a manifest is there but cannot be read.
  init(of output: OutputFolder) throws(SystemError) {
    for name in PublishedNames.assetPackManifests {
      guard
        case .bytes(let bytes) = try FileContents(of: joined(output.path, name), limit: PropertyList.longest),
        let list = try? PropertyList.read(bytes)
      else { continue }
      for resource in list["resources"]?.elements ?? [] {
        guard let key = resource["bundleKey"]?.string,
          let hash = resource["primaryContentHash"]?["hash"]?.string
        else { continue }
        times[key] = ModificationTime(hash)
      }
    }
  }

  /// The time for a pack whose newest file has the time `newest`: a published pack keeps its time until it changes.
  func time(of pack: String, newest: ModificationTime, hasChanged: Bool) -> ModificationTime {
    guard let published = times[pack] else { return newest }
    if !hasChanged { return published }
    return max(newest, published.next)
  }
}
