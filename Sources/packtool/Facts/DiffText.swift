import Findings
import Formats

/// Edits of a file as a unified diff, which `patch` and people read.
struct DiffText {
  let screen: Screen

  func text(_ edited: EditedText) -> PlainText {
    let path = edited.text.path
    let head: PlainText =
      "\(screen.paint("--- \(path)", .bold))\n\(screen.paint("+++ \(path)", .bold))\n"
    return head + edited.hunks.map(text).joined()
  }

  private func text(_ hunk: LineHunk) -> PlainText {
    let old = range(from: hunk.oldStart, count: hunk.oldCount)
    let new = range(from: hunk.newStart, count: hunk.newCount)
    return "\(screen.paint("@@ -\(old) +\(new) @@", .cyan))\n" + hunk.lines.map(text).joined()
  }

  /// The first line and the number of lines, which is left out where it is 1.
  private func range(from start: Int, count: Int) -> PlainText {
    count == 1 ? "\(start)" : "\(count == 0 ? start - 1 : start),\(count)"
  }

  private func text(_ line: LineHunk.Line) -> PlainText {
    let shown: PlainText =
      switch line.change {
      case .kept: " \(line.text)"
      case .removed: screen.paint("-\(line.text)", .red)
      case .added: screen.paint("+\(line.text)", .green)
      }
    return shown + (line.hasEnd ? "\n" : "\n\\ No newline at end of file\n")
  }
}
