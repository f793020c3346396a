import Archiving
package import Formats
import Model
package import Pipeline
package import System

/// The recognized kind of a file or folder, with its contents.
package enum Inspection: Sendable {
  case pack(PackListing)
  case patch(PatchFile)
  /// A property list of Xcode, or any other property list.
  case list(name: String, PlistItem)
  case export(XcodeExport)
  case builtFolder(BuiltFolder)

  /// The reason why a file or folder cannot be inspected.
  package struct Refusal: Error {
    package let diagnostics: [Diagnostic]
  }

  /// Inspects the file or folder at a path.
  ///
  /// - Throws: a `Refusal`, or a `SystemError` if the disk fails.
  package init(_ argument: String) throws {
    let status = try unless(\.isMissing) { () throws(SystemError) in
      try FileOperations.status(of: argument, symlinks: .followed)
    }
    guard let status else { throw Self.refusal("\(quoted(argument)) does not exist", path: argument) }
    let path = trimmed(argument)
    if status.kind == .folder { self = try Self.folder(path) } else { self = try Self.file(path) }
  }

  private static func folder(_ path: String) throws -> Inspection {
    if path.hasSuffix(PublishedNames.packSuffix) { return .pack(try PackListing(path)) }
    switch try BuiltFolderKind(of: path) {
    case .apple: return try export(path)
    case .packtool, .backgroundAssets:
      let lists = [PublishedNames.packInfo, PublishedNames.index, PublishedNames.sidecarIndex]
      let found = try lists.first { list throws(SystemError) in
        try FileOperations.exists(joined(path, list))
      }
      let isPack = found == nil || found == PublishedNames.packInfo
      return isPack ? .pack(try PackListing(path)) : try builtFolder(path)
    }
  }

  private static func export(_ path: String) throws -> Inspection {
    let export = try XcodeExport(path, reading: .lists, jobs: 1)
    if export.diagnostics.hasErrors { throw Refusal(diagnostics: export.diagnostics) }
    return .export(export)
  }

  private static func builtFolder(_ path: String) throws -> Inspection {
    let folder = try BuiltFolder(path)
    if folder.index == nil { throw Refusal(diagnostics: folder.diagnostics) }
    return .builtFolder(folder)
  }

  private static func file(_ path: String) throws -> Inspection {
    let file = try InputFile(path)
    if try file.status().kind != .file {
      throw refusal("\(quoted(path)) is neither a file nor a folder", path: path)
    }
    if try BuiltFolderKind(of: path) == .apple { return try export(path) }
    do throws(ArchiveFormatError) {
      if let patch = try PatchFile(ifOne: path) { return .patch(patch) }
    } catch {
      if let cause = error.cause { throw cause }
      throw refusal("the patch \(quoted(path)) is damaged: \(error.reason)", path: path, check: .damagedPatch)
    }
    if try ArchiveReader.Format(of: file) != nil { return .pack(try PackListing(path)) }
    if try file.bytes(count: 1, at: 0) == [UInt8(ascii: "{")] { return try builtFolder(path) }
    guard let bytes = try file.contents(limit: PropertyList.maxSize) else {
      throw refusal("\(quoted(path)) is longer than \(ByteSize.exact(PropertyList.maxSize))", path: path)
    }
    do throws(PropertyList.Damage) {
      return .list(name: lastName(of: path), try PropertyList.read(bytes))
    } catch {
      throw refusal("\(quoted(path)) is not a pack, index or property list: \(error.reason)", path: path)
    }
  }

  private static func refusal(_ message: String, path: String, check: Check = .unknownFile) -> Refusal {
    Refusal(diagnostics: [Diagnostic(check, message: message, at: Place(path))])
  }
}

/// The kind of a built folder, which packtool recognizes by the lists in the folder.
package enum BuiltFolderKind: Sendable {
  /// A folder with packs and packtool's index.
  ///
  /// Folders without a known list are also treated as this kind.
  case packtool
  /// Packs with Apple's property lists, made by any program. They can be in a folder, an app, an .xcarchive
  /// or an .ipa.
  case apple
  /// Packs with Background Assets manifests.
  case backgroundAssets

  /// Returns the end of the summary line for a folder without errors.
  ///
  /// In the line, it follows the counts. `size` is the size of the folder's files.
  package func verdict(on size: Int64) -> String {
    switch self {
    case .packtool: ", \(ByteSize.text(size)): all packs are undamaged"
    case .apple: ": all packs and lists agree"
    case .backgroundAssets: ", \(ByteSize.text(size)): packs, manifests and tags agree"
    }
  }

  /// Looks for the lists in a folder; throws if the disk fails.
  package init(of argument: String) throws(SystemError) {
    let path = trimmed(argument)
    func has(_ name: String) throws(SystemError) -> Bool { try FileOperations.exists(joined(path, name)) }
    if path.hasSuffix(ArchivedApp.suffix) {
      self = try FileOperations.statusIfThere(path)?.kind == .file ? .apple : .packtool
    } else if try has(PublishedNames.index) {
      self = .packtool
    } else if try has(PublishedNames.tags), try has(PublishedNames.manifestsFolder) {
      self = .backgroundAssets
    } else {
      self = try ExportPlaces(in: path) == nil ? .packtool : .apple
    }
  }
}
