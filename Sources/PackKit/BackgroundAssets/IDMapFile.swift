package import Findings
import Formats
package import System

/// Models the file of `--id-map`: the id of each pack by its sorted tags with "+" between.
package struct IDMapFile: Sendable {
  package let path: String
  /// The ids by tags.
  package private(set) var ids: [String: String] = [:]
  /// All findings.
  package var diagnostics: [Diagnostic] { findings.findings }
  private var findings = FindingList()
  private let text: SourceText?

  /// The largest size of a map in bytes.
  package static let longest = 64 << 20

  /// Reads a map; a missing file is an empty map.
  ///
  /// - Throws: if the file exists but cannot be read.
  package init(_ path: String) throws(SystemError) {
    self.path = path
    switch try FileContents(of: path, limit: Self.longest) {
    case .bytes(let bytes): text = SourceText(path: path, bytes: bytes)
    case .missing: text = nil
    case .noFile, .tooLong:
      text = nil
      let message = "\(quoted(path)) is no file, or longer than \(grouped(Self.longest)) bytes"
      findings.add(Diagnostic(.invalidIDMap, message, at: Place(path)))
    }
    if let text { read(text) }
  }

  private mutating func read(_ text: SourceText) {
    let (value, mistakes) = JSONReader.read(text)
    findings.add(mistakes)
    guard let value else { return }
    guard case .object(let members) = value.content else {
      return report("an id map is an object, not \(value.typeName)", at: value.offset)
    }
    var first: [String: String] = [:]
    for member in members {
      guard let id = member.value.string else {
        report(
          "the id of \(quoted(member.key)) is a string, not \(member.value.typeName)", at: member.value.offset
        )
        continue
      }
      if let mistake = AssetPackID.mistake(in: id) {
        let message = "the id \(quoted(id)) of \(quoted(member.key)) \(mistake)"
        let check = AssetPackID.isName(id) ? Check.invalidPackID : .invalidIDMap
        findings.add(Diagnostic(check, message, at: text.place(at: member.value.offset)))
      }
      if let other = first.updateValue(member.key, forKey: id.lowercased()) {
        let message = "the id \(quoted(id)) is given to \(quoted(other)) and \(quoted(member.key))"
        findings.add(Diagnostic(.identifierCollision, message, at: text.place(at: member.value.offset)))
      }
      ids[member.key] = id
    }
  }

  private mutating func report(_ message: String, at offset: Int) {
    findings.add(Diagnostic(.invalidIDMap, message, at: text?.place(at: offset) ?? Place(path)))
  }

  /// The whole file with these ids.
  package static func bytes(_ ids: [String: String]) -> ByteBuffer {
    JSONText.object(ids.mapValues(JSONText.string)).bytes()
  }
}
