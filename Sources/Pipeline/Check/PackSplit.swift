package import Formats
package import Model
import System

/// A proposal for splitting a pack that is too large: folders that could have their own tag.
package struct PackSplit {
  /// A file of the pack.
  package struct File {
    let path: String
    /// The size in bytes.
    let size: Int64

    package init(path: String, size: Int64) {
      self.path = path
      self.size = size
    }
  }

  /// A file, or a folder with all files below it.
  private struct Part {
    let path: String
    /// The size in bytes.
    let size: Int64
    let files: ArraySlice<File>
    let isFolder: Bool

    var text: String {
      isFolder
        ? "\(quoted(path)) with \(counted(files.count, of: "file")) and \(ByteSize.exact(size))"
        : "\(quoted(path)) with \(ByteSize.exact(size))"
    }
  }

  /// The maximum number of files and of folders that a note lists.
  private static let maxNamed = 3

  /// The files in byte order of their paths, so the files of a folder are next to each other.
  private let files: [File]
  private let size: Int64
  private let limit: Int64

  /// Creates a proposal for a pack with these files and a limit in bytes.
  package init(_ files: [File], limit: Int64) {
    let isInOrder = zip(files, files.dropFirst()).allSatisfy { !$1.path.precedesInBytes($0.path) }
    self.files = isInOrder ? files : files.sorted { $0.path.precedesInBytes($1.path) }
    size = files.saturatingSum { $0.size }
    self.limit = limit
  }

  /// Notes about the largest files and folders, and a proposal.
  package var notes: [Diagnostic.AttachedLine] {
    let parts = firstForkedParts
    let largestFiles = largestFiles
    let fileTexts = largestFiles.map { "\(quoted($0.path)) with \(ByteSize.exact($0.size))" }
    var notes = [Diagnostic.AttachedLine("the largest files: \(fileTexts.joined(separator: ", "))")]
    let folders = largestFirst(parts.filter(\.isFolder)).prefix(Self.maxNamed)
    if !folders.isEmpty {
      notes.append(.init("the largest folders: \(folders.map(\.text).joined(separator: ", "))"))
    }
    return notes + [proposal(of: parts, largestFile: largestFiles.first)]
  }

  /// The largest files, in descending order of size.
  ///
  /// They are found without sorting the files, because a pack can have a million files.
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

  /// The entries of the topmost folder that has more than one entry.
  private var firstForkedParts: [Part] {
    var parts = parts(below: nil, of: files[...])
    while parts.count == 1, parts[0].isFolder { parts = self.parts(below: parts[0].path, of: parts[0].files) }
    return parts
  }

  private func proposal(of parts: [Part], largestFile: File?) -> Diagnostic.AttachedLine {
    if let file = largestFile, file.size > limit {
      return .help(
        "the file \(quoted(file.path)) alone exceeds this size, so tags cannot help; make the file smaller")
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
    return .help(
      "for example, give a separate tag to \(moved.count > 1 ? "each of " : "")\(shown)\(more), which leaves "
        + "\(ByteSize.exact(rest)) in this pack")
  }

  /// The files and folders that do not exceed the limit.
  ///
  /// A folder that exceeds the limit is replaced with its contents.
  private func smallParts(of parts: [Part]) -> [Part] {
    var waiting = [parts]
    var small: [Part] = []
    while let parts = waiting.popLast() {
      for part in parts {
        if part.size <= limit {
          small.append(part)
        } else if part.isFolder {
          waiting.append(self.parts(below: part.path, of: part.files))
        }
      }
    }
    return small
  }

  /// Returns the entries of a folder, each with all files below it.
  private func parts(below folder: String?, of files: ArraySlice<File>) -> [Part] {
    let skipped = folder.map { $0.utf8.count + 1 } ?? 0
    var parts: [Part] = []
    var rest = files
    while let first = rest.first {
      let name = first.path.utf8.dropFirst(skipped).prefix { $0 != UInt8(ascii: "/") }
      let isFolder = name.endIndex < first.path.utf8.endIndex
      let path = String(first.path[..<name.endIndex])
      // In ASCII, the digit zero comes directly after the slash. Therefore all files below the folder sort
      // before the folder's path followed by "0".
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
  /// Returns proposals for splitting a pack, with each new pack within a limit in bytes.
  ///
  /// `number` is the index of the pack.
  package func split(ofPack number: Int, limit: Int64) -> [Diagnostic.AttachedLine] {
    let files = packs[number].files.map { fileIndex in
      let file = tree.files[fileIndex]
      return PackSplit.File(path: file.path, size: file.size)
    }
    return PackSplit(files, limit: limit).notes
  }
}

/// A slice of a release.
///
/// It has all packs and tags of the release, with their sizes in the slice. Some packs can be empty.
package struct ReleaseSlice: Sendable {
  package let release: Release
  /// The device classes of the slice, which all get the same files.
  package let devices: [DeviceClass]
  /// Returns proposals for splitting a pack so that each new pack is within a limit in bytes.
  ///
  /// The arguments are the pack's index and the limit.
  let split: @Sendable (Int, Int64) -> [Diagnostic.AttachedLine]
}

extension Slices {
  /// Returns the slices as releases; `plan` is the plan from which the slices were computed.
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
  /// Returns proposals for splitting the part of a pack that a device class gets.
  ///
  /// `number` is the index of the pack.
  fileprivate func split(ofPack number: Int, limit: Int64, on device: DeviceClass) -> [Diagnostic
    .AttachedLine]
  {
    let slice = thinned(for: device)
    let packIndex = slice.packs.firstIndex { $0.identity == packs[number].identity }
    return packIndex.map { slice.split(ofPack: $0, limit: limit) } ?? []
  }
}
