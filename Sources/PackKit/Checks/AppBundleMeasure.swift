package import Findings
import Formats
package import System

/// How large the app is that the packs belong to.
package struct AppBundleMeasure {
  /// Bytes; nil where the manifest does not tell.
  package private(set) var size: Int64?
  package private(set) var diagnostics: [Diagnostic] = []

  /// Takes the size from the manifest, or measures the app that it names.
  package init(of manifest: Manifest) throws(SystemError) {
    switch manifest.appBundle {
    case nil: break
    case .size(let size): self.size = size
    case .path(let path):
      let place = joined(manifest.folder, path.value)
      guard let status = try FileOperations.statusIfThere(place) else {
        let message =
          "the app bundle \(quoted(place)) does not exist; build the app first, or give its \"size\""
        diagnostics = [Diagnostic(.invalidPath, message, at: manifest.text.place(at: path.offset))]
        return
      }
      size = status.kind == .file ? status.size : try Self.measure(place)
    }
  }

  /// The size in bytes of all files below a folder, including names that packs exclude; links are not followed.
  private static func measure(_ path: String) throws(SystemError) -> Int64 {
    let folder = try Folder(path)
    var size: Int64 = 0
    var waiting: [(path: [UInt8], identity: FileIdentity)] = [([], try folder.status().identity)]
    while let (next, identity) = waiting.popLast() {
      guard let listing = try folder.listing(of: next, met: identity) else { continue }
      for entry in listing.entries {
        if entry.status.kind == .file { size = size.saturatingSum(with: entry.status.size) }
        if entry.status.kind == .folder {
          let path = (next.isEmpty ? [] : next + [UInt8(ascii: "/")]) + listing.name(of: entry)
          waiting.append((path, entry.status.identity))
        }
      }
    }
    return size
  }
}
