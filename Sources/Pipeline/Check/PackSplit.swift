package import Formats
package import Model
import System

/// A proposal to split a pack that is too large: folders that could have their own tag.
package struct PackSplit {
  /// A file of the pack.
  package struct File {
    let path: String
    /// Bytes.
    let size: Int64

    package init(path: String, size: Int64) {
      self.path = path
      self.size = size
    }
  }

  /// A file, or a folder with everything below it.
  private struct Part {
    let path: String
    /// Bytes.
    let size: Int64
    let files: ArraySlice<File>
    let isFolder: Bool

    var text: String {
      isFolder
        ? "\(quoted(path)) with \(counted(files.count, of: "file")) and \(ByteSize.exact(size))"
        : "\(quoted(path)) with \(ByteSize.exact(size))"
    }
  }

  /// The number of files and of folders that are named.
  private static let maxNamed = 3

  /// In byte order of their paths, so that what is in a folder is adjacent.
  private let files: [File]
  private let size: Int64
  private let limit: Int64

  /// A proposal for a pack of these files, with a limit in bytes.
  package init(_ files: [File], limit: Int64) {
    let isInOrder = zip(files, files.dropFirst()).allSatisfy { !$1.path.precedesInBytes($0.path) }
    self.files = isInOrder ? files : files.sorted { $0.path.precedesInBytes($1.path) }
    size = files.saturatingSum { $0.size }
    self.limit = limit
  }

  /// The largest files and folders, and a proposal.
  package var notes: [Diagnostic.Note] {
    let parts = firstForkedParts
    let largestFiles = largestFiles
    let fileTexts = largestFiles.map { "\(quoted($0.path)) with \(ByteSize.exact($0.size))" }
    var notes = [Diagnostic.Note("the largest files: \(fileTexts.joined(separator: ", "))")]
    let folders = largestFirst(parts.filter(\.isFolder)).prefix(Self.maxNamed)
    if !folders.isEmpty {
      notes.append(.init("the largest folders: \(folders.map(\.text).joined(separator: ", "))"))
    }
    return notes + [proposal(of: parts, largestFile: largestFiles.first)]
  }

  /// The largest files, in descending order of size; found without a sort, since a pack can have a million files.
  private var largestFiles: [File] {
    var largest: [File] = []
    for file in files {
      if largest.count == Self.maxNamed, file.size <= largest[Self.maxNamed - 1].size { continue }
      let place = largest.firstIndex { $0.size < file.size } ?? largest.count
      largest.insert(file, at: place)
      if largest.count > Self.maxNamed { largest.removeLast() }
    }
    return largest
  }

  private func largestFirst(_ parts: [Part]) -> [Part] {
    parts.sorted { ($1.size, $0.path) < ($0.size, $1.path) }
  }

  /// The contents of the first folder with more than one entry.
  private var firstForkedParts: [Part] {
    var parts = parts(below: nil, of: files[...])
    while parts.count == 1, parts[0].isFolder { parts = self.parts(below: parts[0].path, of: parts[0].files) }
    return parts
  }

  private func proposal(of parts: [Part], largestFile: File?) -> Diagnostic.Note {
    if let file = largestFile, file.size > limit {
      return .init("the file \(quoted(file.path)) is too large by itself: no tag can help; make it smaller")
    }
    var rest = size
    var moved: [Part] = []
    for part in largestFirst(smallParts(of: parts)) {
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
  private func smallParts(of parts: [Part]) -> [Part] {
    var waiting = [parts]
    var small: [Part] = []
    while let parts = waiting.popLast() {
      for part in parts {
        if part.size <= limit && (parts.count > 1 || !part.isFolder) {
          small.append(part)
        } else if part.isFolder {
          waiting.append(self.parts(below: part.path, of: part.files))
        }
      }
    }
    return small
  }

  /// The entries of a folder, each with everything below it.
  private func parts(below folder: String?, of files: ArraySlice<File>) -> [Part] {
    let skipped = folder.map { $0.utf8.count + 1 } ?? 0
    var parts: [Part] = []
    var rest = files
    while let first = rest.first {
      let name = first.path.utf8.dropFirst(skipped).prefix { $0 != UInt8(ascii: "/") }
      let isFolder = name.endIndex < first.path.utf8.endIndex
      let path = String(first.path[..<name.endIndex])
      // No byte is between a slash and the digit zero.
      let end =
        isFolder
        ? (rest.startIndex..<rest.endIndex).partitioningIndex { !files[$0].path.precedesInBytes(path + "0") }
        : rest.startIndex + 1
      let inside = rest[..<end]
      parts.append(
        Part(path: path, size: inside.saturatingSum { $0.size }, files: inside, isFolder: isFolder))
      rest = rest[end...]
    }
    return parts
  }
}

extension PackPlan {
  /// Proposals to split a pack, by its index, to fit a limit in bytes.
  package func split(ofPack number: Int, limit: Int64) -> [Diagnostic.Note] {
    let files = packs[number].files.map { fileIndex in
      let file = tree.files[fileIndex]
      return PackSplit.File(path: file.path, size: file.size)
    }
    return PackSplit(files, limit: limit).notes
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
    let packIndex = slice.packs.firstIndex { $0.identity == packs[number].identity }
    return packIndex.map { slice.split(ofPack: $0, limit: limit) } ?? []
  }
}
