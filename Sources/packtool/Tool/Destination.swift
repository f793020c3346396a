import Formats
import Model
import Pipeline
import System

/// A file or stream that a run writes to.
struct Destination: Sendable {
  let flag: String
  let path: String
  /// What the run does with it.
  var use = FileUse.output

  /// The flags that take findings, which every command has.
  static let findingFlags = ["--findings", "--diagnostics"]

  /// The files that a command line names to be written.
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

  /// The mistake of a destination that would replace what may not be replaced; a run finds the assets of `scanned` manifests
  /// itself.
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

  /// Why a file may not be replaced, as the end of a sentence: a manifest around it packs it; nil if none does.
  ///
  /// A command that scans the files of the manifest finds the same then.
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

  /// The same for every spelling of the path.
  private var identity: [UInt8] {
    if path == Session.standardOutput { return Array(path.utf8) }
    if let real = try? FileOperations.realPath(of: path) { return real }
    let folder = (try? FileOperations.realPath(of: folderPath(of: path))) ?? Array(folderPath(of: path).utf8)
    return folder + Array("/\(lastName(of: path))".utf8)
  }
}

extension [Destination] {
  /// Those of some flags, in the order of the flags.
  func of(_ flags: [String]) -> [Destination] { flags.flatMap { name in filter { $0.flag == name } } }
}
