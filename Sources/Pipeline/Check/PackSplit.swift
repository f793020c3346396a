package import Formats
package import Model
import System

/// A proposal to split a pack that is too large: folders that could have their own tag.
package struct PackSplit {
  /// A file of the pack, with its size in bytes.
  package typealias File = (path: String, size: Int64)

  /// A file, or a folder with everything below it.
  private struct Part {
    let path: String
    let size: Int64
    let files: Int
    let isFolder: Bool

    var text: String {
      isFolder
        ? "\(quoted(path)) with \(counted(files, "file")) and \(ByteSize.exact(size))"
        : "\(quoted(path)) with \(ByteSize.exact(size))"
    }
  }

  private let files: [File]
  private let size: Int64
  private let limit: Int64

  /// A proposal for a pack of these files, with a limit in bytes.
  package init(_ files: [File], limit: Int64) {
    self.files = files
    size = files.saturatingSum { $0.size }
    self.limit = limit
  }

  /// The largest files and folders, and a proposal.
  package var notes: [Diagnostic.Note] {
    let parts = firstForkedParts
    let largestFiles = files.sorted { ($1.size, $0.path) < ($0.size, $1.path) }.prefix(3)
    let fileTexts = largestFiles.map { "\(quoted($0.path)) with \(ByteSize.exact($0.size))" }
    var notes = [Diagnostic.Note("the largest files: \(fileTexts.joined(separator: ", "))")]
    let folders = parts.filter(\.isFolder).sorted { ($1.size, $0.path) < ($0.size, $1.path) }.prefix(3)
    if !folders.isEmpty {
      notes.append(.init("the largest folders: \(folders.map(\.text).joined(separator: ", "))"))
    }
    return notes + [proposal]
  }

  /// The contents of the first folder with more than one entry.
  private var firstForkedParts: [Part] {
    var parts = parts(below: nil, of: files[...])
    while parts.count == 1, parts[0].isFolder { parts = self.parts(below: parts[0].path, of: files[...]) }
    return parts
  }

  private var proposal: Diagnostic.Note {
    if let file = files.max(by: { $0.size < $1.size }), file.size > limit {
      return .init("the file \(quoted(file.path)) is too large by itself: no tag can help; make it smaller")
    }
    var rest = size
    var moved: [Part] = []
    for part in smallParts(of: files[...], below: nil).sorted(by: { ($1.size, $0.path) < ($0.size, $1.path) })
    {
      if rest <= limit { break }
      rest -= part.size
      moved.append(part)
    }
    let shown = moved.prefix(4).map(\.text).joined(separator: ", ")
    let more = moved.count > 4 ? " and \(grouped(moved.count - 4)) more" : ""
    return .init(
      "for example, give a tag of its own to \(moved.count > 1 ? "each of " : "")\(shown)\(more), which leaves "
        + "\(ByteSize.exact(rest)) in this pack")
  }

  /// Files and folders that do not exceed the limit; only larger folders are split.
  private func smallParts(of files: ArraySlice<File>, below folder: String?) -> [Part] {
    var waiting = [(files, folder)]
    var small: [Part] = []
    while let (files, folder) = waiting.popLast() {
      let parts = parts(below: folder, of: files)
      for part in parts {
        if part.size <= limit && (parts.count > 1 || !part.isFolder) {
          small.append(part)
        } else if part.isFolder {
          waiting.append((files.filter { $0.path.hasPrefix(part.path + "/") }[...], part.path))
        }
      }
    }
    return small
  }

  /// The entries of a folder, each with everything below it.
  private func parts(below folder: String?, of files: ArraySlice<File>) -> [Part] {
    var sums: [String: (size: Int64, files: Int, isFolder: Bool)] = [:]
    let skipped = folder.map { $0.utf8.count + 1 } ?? 0
    for file in files {
      let rest = file.path.utf8.dropFirst(skipped)
      let name = rest.prefix { $0 != UInt8(ascii: "/") }
      let path = String(file.path[..<name.endIndex])
      let sum = sums[path] ?? (0, 0, name.endIndex < rest.endIndex)
      sums[path] = (sum.size.saturatingSum(with: file.size), sum.files + 1, sum.isFolder)
    }
    return sums.map {
      Part(path: $0.key, size: $0.value.size, files: $0.value.files, isFolder: $0.value.isFolder)
    }
  }
}

extension PackPlan {
  /// Proposals to split a pack, by its index, to fit a limit in bytes.
  package func split(ofPack number: Int, limit: Int64) -> [Diagnostic.Note] {
    PackSplit(packs[number].files.map { (tree.files[$0].path, tree.files[$0].size) }, limit: limit).notes
  }
}

/// A slice of a release: its packs and tags with their own sizes, some perhaps empty.
package struct ReleaseSlice: Sendable {
  package let release: Release
  /// The classes, which all get the same.
  package let devices: [DeviceClass]
  /// Proposals to split a pack, by its index, to fit a limit in bytes.
  let split: @Sendable (Int, Int64) -> [Diagnostic.Note]
}

extension Slices {
  /// The slices of the plan that these were made of, as releases.
  package func releases(of plan: PackPlan) -> [ReleaseSlice] {
    let all = Release(of: plan)
    return distinct.map { slice in
      let devices = slice.devices.map { self.devices[$0] }
      return ReleaseSlice(release: all.with(slice.packs), devices: devices) { number, limit in
        plan.split(ofPack: number, limit: limit, on: devices[0])
      }
    }
  }
}

extension PackPlan {
  /// Proposals to split what a class of devices gets of a pack, by the pack's index.
  fileprivate func split(ofPack number: Int, limit: Int64, on device: DeviceClass) -> [Diagnostic.Note] {
    let slice = thinned(for: device)
    let place = slice.packs.firstIndex { $0.identity == packs[number].identity }
    return place.map { slice.split(ofPack: $0, limit: limit) } ?? []
  }
}
