import Findings
import PackKit

/// Files of a pack whose paths differ only in Unicode form: bsdtar extracts both to one path, others to two.
struct UnicodeClashes {
  private(set) var findings: [Diagnostic] = []

  init(_ folder: BuiltFolder, _ index: PublishedIndex, _ contents: PublishedContents) {
    var found = FindingList()
    for number in index.packs.indices {
      let files = ExpectedFiles(of: number, in: contents)
      let place = Place(joined(folder.path, index.packs[number].archive.path))
      // Texts are equal in whatever Unicode form they are.
      var seen: Set<String> = []
      for file in 0..<files.count where files.path(file).contains(where: { $0 >= 0x80 }) {
        let path = String(decoding: files.path(file), as: UTF8.self)
        if seen.insert(path).inserted { continue }
        let message =
          "the pack holds \(quoted(path)) in two Unicode forms, which some readers take for one file; rename one"
        found.add(.pathClash, at: place) { message }
      }
    }
    findings = found.findings
  }
}
