import System

/// A text and the result of editing it.
package struct EditedText: Sendable {
  package let text: SourceText
  /// The edits, in order and without overlaps.
  package let edits: [TextEdit]
  /// The bytes of the text after the edits.
  package let bytes: [UInt8]

  package init(_ text: SourceText, edits: [TextEdit]) {
    self.text = text
    self.edits = edits
    bytes = text.bytes.applying(edits)
  }

  /// Applies the fixes of findings in a JSON text; nil if no finding has a fix, or if the fixes would add
  /// syntax errors.
  ///
  /// Fixes of syntax errors are applied only if the text is JSON after them. Otherwise packtool might have
  /// misunderstood a mistake.
  package init?(fixing findings: [Diagnostic], in text: SourceText) {
    let findings = findings.filter { $0.place.path == text.path }
    let all = EditedText(text, edits: Self.edits(of: findings))
    if all.edits.isEmpty { return nil }
    if all.syntaxMistakes == 0 {
      self = all
      return
    }
    let others = EditedText(text, edits: Self.edits(of: findings.filter { $0.check != .jsonSyntax }))
    guard !others.edits.isEmpty, others.syntaxMistakes <= text.syntaxMistakes else { return nil }
    self = others
  }

  /// Returns the fixes of findings, in order and without overlaps.
  private static func edits(of findings: [Diagnostic]) -> [TextEdit] {
    let fixes = findings.compactMap(\.fix)
    var edits: [TextEdit] = []
    for fix in fixes.sorted(by: { $0.range.lowerBound < $1.range.lowerBound }) {
      // A fix that overlaps the previous fix is not applied now. The next run can apply it if it is still
      // needed.
      if let last = edits.last, fix.range.lowerBound < last.range.upperBound || fix.range == last.range {
        continue
      }
      edits.append(fix)
    }
    return edits
  }

  /// The number of syntax errors in the text after the edits.
  private var syntaxMistakes: Int {
    SourceText(path: text.path, bytes: bytes, hasComments: text.hasComments).syntaxMistakes
  }
}

extension SourceText {
  fileprivate var syntaxMistakes: Int {
    JSONReader.read(self).diagnostics.filter { $0.check == .jsonSyntax }.reduce(0) { $0 + $1.count }
  }
}

/// Lines that edits change, with some lines around them, as in unified diffs.
package struct LineHunk: Sendable, Equatable {
  package enum Change: Sendable, Equatable {
    case kept
    case removed
    case added
  }

  /// One line of a hunk.
  package struct Line: Sendable, Equatable {
    package let change: Change
    /// The line without its line end.
    package let text: String
    /// Whether the line has a line end.
    ///
    /// The last line of a text may have no line end.
    package let hasEnd: Bool
  }

  /// The number of the first line in the original text, counted from 1.
  package let oldStart: Int
  /// The number of the first line in the edited text, counted from 1.
  package let newStart: Int
  package private(set) var lines: [Line] = []

  /// The number of these lines that the original text has.
  package var oldCount: Int { lines.count { $0.change != .added } }
  /// The number of these lines that the edited text has.
  package var newCount: Int { lines.count { $0.change != .removed } }

  fileprivate static let around = 3

  fileprivate mutating func add(_ change: Change, lines: some Sequence<ArraySlice<UInt8>>) {
    for line in lines {
      let hasEnd = line.last == newline
      let text = String(decoding: hasEnd ? line.dropLast() : line, as: UTF8.self)
      self.lines.append(Line(change: change, text: text, hasEnd: hasEnd))
    }
  }
}

extension EditedText {
  /// The hunks of a unified diff between the original and the edited text.
  ///
  /// The edits show which lines differ, so the two texts need not be compared.
  package var hunks: [LineHunk] {
    let old = lines(of: text.bytes)
    var hunks: [LineHunk] = []
    var shift = 0
    for group in Self.groups(of: changedLines(old)) {
      var next = max(0, group[0].old.lowerBound - LineHunk.around)
      var hunk = LineHunk(oldStart: next + 1, newStart: next + shift + 1)
      for block in group {
        hunk.add(.kept, lines: old[next..<block.old.lowerBound])
        hunk.add(.removed, lines: old[block.old])
        hunk.add(.added, lines: block.new)
        shift += block.new.count - block.old.count
        next = block.old.upperBound
      }
      hunk.add(.kept, lines: old[next...].prefix(LineHunk.around))
      hunks.append(hunk)
    }
    return hunks
  }

  /// Lines of the original text that edits change, and the lines that replace them.
  private struct Block {
    /// The numbers of the lines in the original text, counted from 0.
    let old: Range<Int>
    /// The lines that replace them, each with its line end.
    let new: [ArraySlice<UInt8>]
  }

  /// Returns the blocks of each hunk.
  ///
  /// Blocks with few lines between them are in the same hunk.
  private static func groups(of blocks: [Block]) -> [[Block]] {
    var groups: [[Block]] = []
    for block in blocks {
      if let last = groups.last?.last, block.old.lowerBound - last.old.upperBound <= 2 * LineHunk.around {
        groups[groups.count - 1].append(block)
      } else {
        groups.append([block])
      }
    }
    return groups
  }

  private func changedLines(_ lines: [ArraySlice<UInt8>]) -> [Block] {
    var blocks: [(lines: Range<Int>, edits: Range<Int>)] = []
    var line = 0
    for (number, edit) in edits.enumerated() {
      while line + 1 < lines.count, lines[line].endIndex <= edit.range.lowerBound { line += 1 }
      let first = line
      while line + 1 < lines.count, lines[line].endIndex <= edit.range.upperBound { line += 1 }
      let end = min(line + 1, lines.count)
      if let last = blocks.last, first < last.lines.upperBound {
        blocks[blocks.count - 1] = (last.lines.lowerBound..<end, last.edits.lowerBound..<number + 1)
      } else {
        blocks.append((first..<end, number..<number + 1))
      }
    }
    return blocks.map { block in
      let old = lines[block.lines]
      let start = old.first?.startIndex ?? 0
      let bytes = Array(text.bytes[start..<(old.last?.endIndex ?? start)])
      let own = edits[block.edits].map {
        TextEdit($0.range.lowerBound - start..<$0.range.upperBound - start, replacement: $0.replacement)
      }
      let new = self.lines(of: bytes.applying(own))
      let front = zip(old, new).prefix { $0 == $1 }.count
      let rest = zip(old.dropFirst(front).reversed(), new.dropFirst(front).reversed()).prefix { $0 == $1 }
        .count
      return Block(
        old: block.lines.lowerBound + front..<block.lines.upperBound - rest,
        new: Array(new.dropFirst(front).dropLast(rest)))
    }
  }

  private func lines(of bytes: [UInt8]) -> [ArraySlice<UInt8>] {
    var lines: [ArraySlice<UInt8>] = []
    var rest = bytes[...]
    while !rest.isEmpty {
      let end = rest.firstIndex(of: newline).map { $0 + 1 } ?? rest.endIndex
      lines.append(rest[..<end])
      rest = rest[end...]
    }
    return lines
  }
}

private let newline = UInt8(ascii: "\n")
