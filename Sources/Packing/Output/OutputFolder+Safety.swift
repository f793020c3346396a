import Findings
import PackKit
import System

/// Something in an output folder that a build would write to and that no build has left there.
struct UnsafePart: Error, CustomStringConvertible {
  let path: String
  /// What is wrong with it, behind its name.
  fileprivate let statement: String

  var description: String { "\(quoted(path)) \(statement)" }

  var diagnostic: Diagnostic { Diagnostic(.unsafeOutput, description, at: Place(path)) }
}

extension OutputFolder {
  /// What keeps a build from writing here without changing what packtool did not make.
  var unsafeParts: [UnsafePart] {
    get throws(SystemError) {
      if let identity = try identity,
        try identity == FileOperations.status(of: "/", following: true).identity
      {
        let statement = "is the top of the file system; choose another folder, such as \"build/packs\""
        return [UnsafePart(path: path, statement: statement)]
      }
      let folders = [recordFolder, stagingPath] + (packsPath == path ? [] : [packsPath])
      var parts: [UnsafePart] = []
      for path in folders { try part(path, shouldBe: .folder).map { parts.append($0) } }
      for path in [lockPath, recordPath] { try part(path, shouldBe: .file).map { parts.append($0) } }
      return parts
    }
  }

  private func part(_ path: String, shouldBe kind: FileStatus.Kind) throws(SystemError) -> UnsafePart? {
    // What lies below a link is another's; the link itself is told.
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
  /// What a message calls it.
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
