import Formats
import Model
import Pipeline
import System

/// A file or stream that a run writes to.
struct Destination: Sendable {
  let flag: String
  let path: String
  /// The way in which the run uses the file.
  var use = FileUse.output

  /// The flags for findings.
  ///
  /// Every command has these flags.
  static let findingFlags = ["--findings", "--diagnostics"]

  /// Returns the files and streams that a run with these paths on its command line writes.
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
      // The same file can be the lockfile for both identifiers and versions.
      if destination.use == .lockfile, other.use == .lockfile, destination.flag != other.flag { continue }
      let file =
        destination.path == Session.standardOutput
        ? "standard output" : "the file \(quoted(destination.path))"
      return other.flag == destination.flag
        ? "flag \(quoted(other.flag)) writes to \(file) twice; use two different files"
        : "flags \(quoted(other.flag)) and \(quoted(destination.flag)) both write to \(file); use two "
          + "different files"
    }
    return nil
  }

  /// Returns a mistake if a destination would replace a file that must not be replaced.
  ///
  /// The command itself finds the assets of the manifests in `scanned`, so this function does not check these
  /// manifests.
  static func mistake(
    in destinations: [Destination], inputs: [String], scanned: [String]
  ) -> String? {
    let read = Set(inputs.map { Destination(flag: "", path: $0).identity })
    for file in destinations where file.path != Session.standardOutput {
      if read.contains(file.identity) {
        return
          "flag \(quoted(file.flag)) would write to \(quoted(file.path)), which this run reads; choose "
          + "another file"
      }
      let kind = file.use == .manifest ? OutputKind.manifest : .product
      if let refusal = (try? kind.refusal(at: file.path))
        ?? (try? assetRefusal(at: file.path, scanned: scanned))
      {
        return "flag \(quoted(file.flag)) would write to \(refusal)"
      }
    }
    return nil
  }

  /// Returns the reason why a file must not be replaced, as the end of a sentence; nil if the file can be
  /// replaced.
  ///
  /// A file must not be replaced if a manifest in a parent folder packs it. If the command itself scans that
  /// manifest's files, it finds this reason itself.
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

  /// A value that identifies the destination.
  ///
  /// The value is equal for all spellings of the same path.
  private var identity: [UInt8] {
    if path == Session.standardOutput { return Array(path.utf8) }
    if let real = try? FileOperations.realPath(of: path) { return real }
    let folder = (try? FileOperations.realPath(of: folderPath(of: path))) ?? Array(folderPath(of: path).utf8)
    return folder + Array("/\(lastName(of: path))".utf8)
  }
}

extension [Destination] {
  /// Returns the destinations that the given flags set, in the order of these flags.
  func of(_ flags: [String]) -> [Destination] { flags.flatMap { name in filter { $0.flag == name } } }
}
