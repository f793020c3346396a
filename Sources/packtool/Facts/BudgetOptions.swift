import Findings
import Flags
import PackKit
import Projects
import Releases

// The budgets of a command line, for commands that check packs and updates.
extension Budgets {
  /// The flags of these options.
  static let flags: [Flag<Budgets>] = .grouped(
    under: "budgets, in place of the manifest's",
    [
      .parsed(
        "--budget-update", valueName: "SIZE", summary: "what an update may download, such as \"20 MB\"",
        parse: { text throws(FlagMistake) in Budget(try size(text)) }, into: \.updateSize),
      .parsed(
        "--budget-growth", valueName: "PART",
        summary: "how much all packs together may grow, such as \"5 %\"",
        parse: { text throws(FlagMistake) in Budget(try growth(text)) }, into: \.growth),
      .each(
        "--budget-pack", valueName: "TAGS=SIZE",
        summary: "how large the pack of these tags, with \"+\" between, may be; may be repeated", parse: pack,
        add: { $0.add($1) }),
    ])

  private mutating func add(_ pack: (name: String, size: Int64)) {
    packs.removeAll { $0.name == pack.name }
    packs.append((pack.name, Budget(pack.size)))
  }

  private static func size(_ text: String) throws(FlagMistake) -> Int64 {
    if let size = Int64(text) ?? ByteSize.bytes(in: text), size >= 0 { return size }
    throw FlagMistake("needs a number of bytes or a size such as \"20 MB\", not \(quoted(text))")
  }

  private static func growth(_ text: String) throws(FlagMistake) -> Percentage {
    if let part = Percentage(text) { return part }
    throw FlagMistake("needs a part such as \"5 %\", not \(quoted(text))")
  }

  private static func pack(_ text: String) throws(FlagMistake) -> (name: String, size: Int64) {
    guard let equals = text.utf8.lastIndex(of: UInt8(ascii: "=")), equals > text.startIndex else {
      throw FlagMistake("takes TAGS=SIZE, such as \"Level 1=60 MB\", not \(quoted(text))")
    }
    let size = try size(String(text[text.utf8.index(after: equals)...]))
    return (String(text[..<equals]), size)
  }
}
