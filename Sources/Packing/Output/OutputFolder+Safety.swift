import Findings
import PackKit
import System

/// A file in the output folder at a path that a build would write to, but of a kind that no build makes.
struct UnsafePart: Error, CustomStringConvertible {
  let path: String
  /// The message on it, without its name.
  fileprivate let statement: String

  var description: String { "\(quoted(path)) \(statement)" }

  var diagnostic: Diagnostic { Diagnostic(.unsafeOutput, description, at: Place(path)) }
}

extension OutputFolder {
  /// The parts that a build cannot write without changing files that packtool did not make.
  var unsafeParts: [UnsafePart] {
    get throws(SystemError) {
      if let identity = try identity,
        try identity == FileOperations.status(of: "/", following: true).identity
      {
        let statement = "is the top of the file system; choose another folder, such as \"build/packs\""
        return [UnsafePart(path: path, statement: statement)]
      }
      let own = (layout.folders + layout.otherFolders).map { joined(path, $0) }
      let folders = [recordFolder, stagingPath] + (packsPath == path ? [] : [packsPath]) + own
      var parts: [UnsafePart] = []
      for path in folders { try part(path, shouldBe: .folder).map { parts.append($0) } }
      for path in [lockPath, recordPath] { try part(path, shouldBe: .file).map { parts.append($0) } }
      return parts
    }
  }

  private func part(_ path: String, shouldBe kind: FileStatus.Kind) throws(SystemError) -> UnsafePart? {
    // Files below a link are not ours; the link itself is reported.
    if path.hasPrefix(recordFolder + "/"),
      try FileOperations.statusIfThere(recordFolder, following: false)?.kind != .folder
    {
      return nil
    }
    guard let found = try FileOperations.statusIfThere(path, following: false)?.kind, found != kind else {
      return nil
    }
    let statement = "is \(found.words), not \(kind.words); remove it or choose another folder"
    return UnsafePart(path: path, statement: statement)
  }
}

extension FileStatus.Kind {
  /// The kind in messages.
  fileprivate var words: String {
    switch self {
    case .file: "a file"
    case .folder: "a folder"
    case .link: "a symbolic link"
    case .fifo: "a fifo"
    case .socket: "a socket"
    case .device: "a device"
    }
  }
}
