import Formats
import Model
import Pipeline
import System

/// A file or stream that a run writes to.
struct Destination: Sendable {
  let flag: String
  let path: String
  /// How the run uses the file.
  var use = FileUse.output

  /// The flags for findings, which every command has.
  static let findingFlags = ["--findings", "--diagnostics"]

  /// Returns the files of a command line that the run writes.
  static func all(in paths: [NamedPath]) -> [Destination] {
    paths.compactMap { named in
      guard let use = named.use, use != .input else { return nil }
      return Destination(flag: named.name, path: named.path, use: use)
    }
  }

  static func clash(among destinations: [Destination]) -> String? {
    var first: [[UInt8]: Destination] = [:]
    for destination in destinations {
      guard let other = first.updateValue(destination, forKey: destination.identity) else { continue }
      // One lockfile can keep both identifiers and versions.
      if destination.use == .lockfile, other.use == .lockfile, destination.flag != other.flag { continue }
      let file =
        destination.path == Session.standardOutput
        ? "standard output" : "the file \(quoted(destination.path))"
      return other.flag == destination.flag
        ? "flag \(quoted(other.flag)) names \(file) twice; give each its own"
        : "flags \(quoted(other.flag)) and \(quoted(destination.flag)) both name \(file); give each its own"
    }
    return nil
  }

  /// Returns the mistake of a destination that would replace a file that must not be replaced.
  ///
  /// The run itself finds the assets of the manifests in `scanned`, so these manifests are not checked here.
  static func mistake(
    in destinations: [Destination], inputs: [String], scanned: [String]
  ) -> String? {
    let read = Set(inputs.map { Destination(flag: "", path: $0).identity })
    for file in destinations where file.path != Session.standardOutput {
      if read.contains(file.identity) {
        return "flag \(quoted(file.flag)) names \(quoted(file.path)), which is read; choose another file"
      }
      let kind = file.use == .manifest ? OutputKind.manifest : .product
      if let refusal = (try? kind.refusal(at: file.path))
        ?? (try? assetRefusal(at: file.path, scanned: scanned))
      {
        return "flag \(quoted(file.flag)) names \(refusal)"
      }
    }
    return nil
  }

  /// Returns why a file must not be replaced, as the end of a sentence; nil if it can be replaced.
  ///
  /// The reason is a manifest in a folder above that packs the file. A command that scans the files of the
  /// manifest finds this itself.
  private static func assetRefusal(at path: String, scanned: [String]) throws(SystemError) -> String? {
    guard try FileOperations.statusIfThere(path)?.kind == .file else { return nil }
    var scannedIdentities: Set<FileIdentity> = []
    for input in scanned {
      if let identity = try FileOperations.statusIfThere(input)?.identity {
        scannedIdentities.insert(identity)
      }
    }
    guard let manifest = try ManifestSource.manifest(packing: path, excluding: scannedIdentities) else {
      return nil
    }
    return "\(quoted(path)), which a rule of \(quoted(manifest)) packs; choose another file"
  }

  /// An identity that is equal for all spellings of the path.
  private var identity: [UInt8] {
    if path == Session.standardOutput { return Array(path.utf8) }
    if let real = try? FileOperations.realPath(of: path) { return real }
    let folder = (try? FileOperations.realPath(of: folderPath(of: path))) ?? Array(folderPath(of: path).utf8)
    return folder + Array("/\(lastName(of: path))".utf8)
  }
}

extension [Destination] {
  /// Returns the destinations of some flags, in the order of the flags.
  func of(_ flags: [String]) -> [Destination] { flags.flatMap { name in filter { $0.flag == name } } }
}
