import Model
package import Formats
package import System

/// A lockfile, which users commit to version control and which builds extend.
///
/// The lockfile keeps the ids of packs (`--id-map`), their versions (`--ledger`), or both.
package struct PackLockfile: Sendable {
  /// The latest version of a pack.
  package struct Entry: Sendable {
    package var version: Int64
    /// The digest of the pack's contents; nil if another tool assigned the version.
    ///
    /// The next build adds the missing digest.
    package var digest: Digest?
    /// The size of the contents in bytes.
    package var size: Int64?
    /// The size of the archive in bytes; nil if no archive has been made yet.
    package var downloadSize: Int64?
    /// Data for the app.
    package var userInfo: JSONText?

    package init(version: Int64) { self.version = version }
  }

  package let path: String
  /// The app's bundle identifier; nil in a file that contains ids but no versions.
  package var bundleIdentifier: String?
  /// The ids.
  ///
  /// The key is the pack's sorted tags, joined with "+".
  package var ids: [String: String] = [:]
  /// The packs by id, including packs that are in no current release.
  package var packs: [String: Entry] = [:]
  /// All findings.
  package var diagnostics: [Diagnostic] { findings.findings }
  private var findings = FindingList()
  private let text: SourceText?
  /// The check whose findings report mistakes in the file.
  private let check: Check
  private let host: AssetPackHost

  /// The maximum size of the file in bytes.
  package static let maxSize = 64 << 20
  /// The highest version that packtool assigns.
  ///
  /// All JSON readers can represent every whole number up to this number exactly.
  package static let highestVersion: Int64 = (1 << 53) - 1

  /// Creates a version lockfile from versions that another tool assigned.
  ///
  /// The contents of the packs are not known.
  package init(path: String, packs: [String: Entry]) {
    (self.path, self.packs, text, check, host) = (path, packs, nil, .invalidLedger, .ownServer)
  }

  /// Reads the version lockfile at a path; if the file does not exist, the lockfile is empty.
  ///
  /// If `app` is nil, the lockfile can belong to any app.
  ///
  /// - Throws: if the file exists but cannot be read.
  package init(ledger path: String, of app: String? = nil) throws(SystemError) {
    try self.init(path, check: .invalidLedger, host: .ownServer)
    if let app, let bundleIdentifier, bundleIdentifier != app {
      let message =
        "the versions in this lockfile belong to the app \(quoted(bundleIdentifier)), not to \(quoted(app)); "
        + "pass the version lockfile of this app"
      findings.add(Diagnostic(.foreignLedger, message: message, at: Place(path)))
    }
    bundleIdentifier = app ?? bundleIdentifier
  }

  /// Reads the ID lockfile at a path; if the file does not exist, the lockfile is empty.
  ///
  /// - Throws: if the file exists but cannot be read.
  package init(idMap path: String, host: AssetPackHost) throws(SystemError) {
    try self.init(path, check: .invalidIDMap, host: host)
  }

  private init(_ path: String, check: Check, host: AssetPackHost) throws(SystemError) {
    (self.path, self.check, self.host) = (path, check, host)
    switch try FileContents(of: path, limit: Self.maxSize) {
    case .bytes(let bytes): text = SourceText(path: path, bytes: bytes)
    case .missing: text = nil
    case .noFile, .tooLong:
      text = nil
      let message = "\(quoted(path)) is not a regular file, or is longer than \(grouped(Self.maxSize)) bytes"
      findings.add(Diagnostic(check, message: message, at: Place(path)))
    }
    if let text { read(text) }
  }

  private mutating func read(_ text: SourceText) {
    let (value, mistakes) = JSONReader.read(text)
    findings.add(mistakes)
    guard let value else { return }
    guard case .object(let members) = value.content else {
      return report("the file must be an object, not \(value.typeName)", at: value.offset)
    }
    guard case .object(let packs)? = value.member("packs")?.content else { return readIDs(members) }
    if value.member("formatVersion")?.wholeNumber != 1 {
      report("the format version must be 1; this packtool reads no other version", at: value.offset)
    }
    bundleIdentifier = value.member("bundleIdentifier")?.string
    if case .object(let ids)? = value.member("ids")?.content { readIDs(ids) }
    for pack in packs { readPack(pack) }
  }

  private mutating func readIDs(_ members: JSONMembers) {
    var first: [String: String] = [:]
    for member in members {
      guard let id = member.value.string else {
        report(
          "the id of \(quoted(member.key)) must be a string, not \(member.value.typeName)",
          at: member.value.offset
        )
        continue
      }
      let place = text?.place(at: member.value.offset) ?? Place(path)
      if let mistake = AssetPackID.mistake(in: id, host: host) {
        let message = "the id \(quoted(id)) of \(quoted(member.key)) \(mistake)"
        findings.add(Diagnostic(AssetPackID.isName(id) ? .invalidPackID : check, message: message, at: place))
      }
      if let other = first.updateValue(member.key, forKey: id.lowercased()) {
        let message = "the id \(quoted(id)) is assigned to both \(quoted(other)) and \(quoted(member.key))"
        findings.add(Diagnostic(.identifierCollision, message: message, at: place))
      }
      ids[member.key] = id
    }
  }

  private mutating func readPack(_ member: JSONMember) {
    let value = member.value
    guard let version = value.member("version")?.wholeNumber else {
      return report("the version of the pack \(quoted(member.key)) is not a whole number", at: value.offset)
    }
    if version > Self.highestVersion {
      let message =
        "the version of the pack \(quoted(member.key)) is \(grouped(version)); the highest possible version "
        + "is "
        + grouped(Self.highestVersion)
      return report(message, at: value.offset)
    }
    if !AssetPackID.isName(member.key) {
      return report("the id \(quoted(member.key)) cannot be the name of a folder", at: member.keyOffset)
    }
    var entry = Entry(version: version)
    entry.digest = value.member("digest")?.digest
    if entry.digest == nil, let written = value.member("digest") {
      report("the digest of the pack \(quoted(member.key)) is not a SHA-256", at: written.offset)
    }
    entry.size = value.member("size")?.wholeNumber
    entry.downloadSize = value.member("downloadSize")?.wholeNumber
    entry.userInfo = value.member("userInfo").map(JSONText.read)
    packs[member.key] = entry
  }

  private mutating func report(_ message: String, at offset: Int) {
    findings.add(Diagnostic(check, message: message, at: text?.place(at: offset) ?? Place(path)))
  }
}

extension PackLockfile {
  /// Assigns a version to a pack: the pack's latest version if the contents have not changed, otherwise the
  /// next higher version.
  package mutating func assignVersion(toPack id: String, digest: Digest, size: Int64, downloadSize: Int64?) {
    var entry = packs[id] ?? Entry(version: 1)
    if let last = entry.digest, last != digest {
      entry.version += 1
      entry.downloadSize = nil
    }
    entry.digest = digest
    entry.size = size
    entry.downloadSize = downloadSize ?? entry.downloadSize
    packs[id] = entry
  }

  /// Returns findings about packs of a build that have the maximum version.
  ///
  /// If the contents of such a pack change, no higher version exists.
  package func exhaustedVersions(of ids: [String]) -> [Diagnostic] {
    ids.filter { packs[$0].map { $0.version >= Self.highestVersion } ?? false }.map { id in
      let message =
        "the pack \(quoted(id)) has the version \(grouped(Self.highestVersion)), which is the highest "
        + "possible version; give the pack another id"
      return Diagnostic(check, message: message, at: Place(path))
    }
  }

  /// The bytes of the whole file.
  ///
  /// Each pack has its own line, so that git can merge changes of different packs.
  package var bytes: ByteBuffer {
    if bundleIdentifier == nil && packs.isEmpty {
      return JSONText.object(ids.mapValues(JSONText.string)).bytes()
    }
    var buffer = ByteBuffer()
    buffer.append("{\n  \"formatVersion\": 1,\n  \"bundleIdentifier\": ")
    buffer.append((bundleIdentifier.map(JSONText.string) ?? .null).line.array()[...])
    if !ids.isEmpty { Self.append("ids", lines: ids.mapValues(JSONText.string), to: &buffer) }
    Self.append("packs", lines: packs.mapValues(\.json), to: &buffer)
    buffer.append("\n}\n")
    return buffer
  }

  private static func append(_ name: String, lines: [String: JSONText], to buffer: inout ByteBuffer) {
    buffer.append(",\n  \"\(name)\": {")
    for (number, line) in lines.sorted(by: { $0.key.precedesInBytes($1.key) }).enumerated() {
      buffer.append(number == 0 ? "\n    " : ",\n    ")
      buffer.append(json: line.key)
      buffer.append(": ")
      buffer.append(line.value.line.array()[...])
    }
    buffer.append(lines.isEmpty ? "}" : "\n  }")
  }

  /// Returns findings about published versions that are missing in the lockfile, or for which the lockfile
  /// has the digest of other contents.
  ///
  /// Without this error, a build could assign the same version to two different contents.
  package func findings(comparedWith published: DownloadManifest, digests: [String: Digest]) -> [Diagnostic] {
    for pack in published.packs {
      let entry = packs[pack.id]
      let isOther =
        entry?.version == pack.version && entry?.digest.map { $0 != digests[pack.id] ?? $0 } == true
      if let entry, entry.version >= pack.version, !isOther { continue }
      let message =
        "\(quoted(published.path)) lists the pack \(quoted(pack.id)) with the version \(pack.version), which "
        + "the version lockfile "
        + (isOther ? "lists with different contents" : "does not list")
        + "; restore the newest version lockfile, or build into another folder"
      return [Diagnostic(.rewoundLedger, message: message, at: Place(path))]
    }
    return []
  }
}

extension PackLockfile.Entry {
  fileprivate var json: JSONText {
    let members: [(String, JSONText?)] = [
      ("version", .integer(version)), ("digest", digest.map { .string($0.prefixed) }),
      ("size", size.map(JSONText.integer)), ("downloadSize", downloadSize.map(JSONText.integer)),
      ("userInfo", userInfo),
    ]
    return .ordered(members.compactMap { name, value in value.map { (name, $0) } })
  }
}
