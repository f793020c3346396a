import Findings
import Formats

extension EditedText {
  /// The edits as a unified diff, which `patch` and people read.
  func diff(on screen: Screen) -> PlainText {
    let head: PlainText =
      "\(screen.paint("--- \(text.path)", .bold))\n\(screen.paint("+++ \(text.path)", .bold))\n"
    return head + hunks.map { $0.text(on: screen) }.joined()
  }
}

extension LineHunk {
  fileprivate func text(on screen: Screen) -> PlainText {
    let old = Self.range(from: oldStart, count: oldCount)
    let new = Self.range(from: newStart, count: newCount)
    return "\(screen.paint("@@ -\(old) +\(new) @@", .cyan))\n"
      + lines.map { line in
        let shown: PlainText =
          switch line.change {
          case .kept: " \(line.text)"
          case .removed: screen.paint("-\(line.text)", .red)
          case .added: screen.paint("+\(line.text)", .green)
          }
        return shown + (line.hasEnd ? "\n" : "\n\\ No newline at end of file\n")
      }.joined()
  }

  /// The first line and the number of lines, which is left out where it is 1.
  private static func range(from start: Int, count: Int) -> PlainText {
    count == 1 ? "\(start)" : "\(count == 0 ? start - 1 : start),\(count)"
  }
}
