import Findings
import Flags
import Packing
import Releases

/// The options of a build that names packs of a published release without writing them.
struct OntoOptions: Sendable {
  var index: String?
  /// Where the list of files goes that must be here.
  var missing: String?

  /// The flags, for a command whose options hold these as a part.
  static func flags<Options>(in part: Flag<Options>.Target<OntoOptions>) -> [Flag<Options>] {
    own.map { $0.lifted(into: part) }
  }

  private static let own: [Flag<OntoOptions>] = [
    .value(
      "--onto", valueName: "INDEX", kind: .path,
      summary:
        "the published release, a built folder or its index: packs with the same contents are taken over",
      into: \.index),
    .value(
      "--missing", valueName: "FILE", kind: .file(),
      summary: "write the paths of pointers whose files the build needs, one a line", into: \.missing),
  ]

  /// The message on flags that do not go with the others.
  func mistake(_ layout: Layout, isPart: Bool, takesPointers: Bool) -> String? {
    if index != nil && isPart {
      return
        "flag \"--onto\" does not go with \"--shard\": a part has all of its packs; give --onto to a whole build"
    }
    if isPart, let reason = layout.reasonAgainstParts {
      return "flag \"--shard\" does not go with the layout \(quoted(layout.rawValue)): \(reason)"
    }
    if index != nil && layout != .packtool {
      return
        "flag \"--onto\" needs the layout \"packtool\": the lists of \(quoted(layout.rawValue)) state no digests"
    }
    if missing != nil && !takesPointers {
      return "flag \"--missing\" has no meaning without \"--pointers\""
    }
    return nil
  }

  /// Adds the release to a build.
  func add(to request: inout BuildRequest) throws {
    guard let index else { return }
    let folder = try BuiltFolder(index)
    let findings = folder.allFindings
    request.moreChecks.append { _, _ in findings }
    request.onto = findings.hasErrors ? nil : folder.release
  }
}
