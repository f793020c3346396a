import Formats
import Model
import Packing
import Pipeline
import System

extension Release {
  func summary(_ changes: OutputChanges, output: String, seconds: Double) -> PlainText {
    var table = TextTable([.left, .right, .right, .right, .right])
    table.add("", "packs", "files", "size", "packed")
    func add(_ numbers: [Int], titled title: String) {
      let packs = numbers.map { self.packs[$0] }
      table.add(
        title, grouped(packs.count), grouped(packs.reduce(0) { $0 + Int($1.fileCount) }),
        ByteSize.text(packs.saturatingSum { $0.size }),
        ByteSize.text(packs.saturatingSum { $0.published?.archive.file.size ?? 0 }))
    }
    for delivery in Delivery.allCases { add(order(of: delivery), titled: delivery.title) }
    add(Delivery.allCases.flatMap(order), titled: "total")
    let elsewhere = packs.count { $0.published?.isElsewhere == true }
    var text = table.text()
    if elsewhere > 0 { text += "reused \(counted(elsewhere, of: "pack")) from an earlier release\n" }
    for set in patches {
      let patched = Set(set.packs.map(\.id))
      let whole = packs.lazy.filter { patched.contains($0.id) }.saturatingSum { $0.packedSize ?? 0 }
      let size = set.packs.saturatingSum { $0.patch.file.size }
      text +=
        "\(counted(set.packs.count, of: "patch", plural: "patches")) from release \(set.from.short): "
        + "\(ByteSize.text(size)) instead of \(ByteSize.text(whole))\n"
    }
    if changes.removedPacks > 0 {
      text += "removed \(counted(changes.removedPacks, of: "pack")) that the new index does not list\n"
    }
    let tenths = Int(seconds * 10)
    let time = seconds < 1 ? "\(Int(seconds * 1000)) ms" : "\(tenths / 10).\(tenths % 10) s"
    return text
      + (changes.isNothingWritten
        ? "\(displayed(output)) is up to date\n" : "wrote \(displayed(output)) in \(time)\n")
  }
}

extension EditedText {
  func diff(on screen: Screen) -> PlainText {
    let head: PlainText =
      "\(screen.paint("--- \(text.path)", style: .bold))\n\(screen.paint("+++ \(text.path)", style: .bold))\n"
    return head + hunks.map { $0.text(on: screen) }.joined()
  }
}

extension LineHunk {
  fileprivate func text(on screen: Screen) -> PlainText {
    let old = Self.range(from: oldStart, count: oldCount)
    let new = Self.range(from: newStart, count: newCount)
    return "\(screen.paint("@@ -\(old) +\(new) @@", style: .cyan))\n"
      + lines.map { line in
        let shown: PlainText =
          switch line.change {
          case .kept: " \(line.text)"
          case .removed: screen.paint("-\(line.text)", style: .red)
          case .added: screen.paint("+\(line.text)", style: .green)
          }
        return shown + (line.hasEnd ? "\n" : "\n\\ No newline at end of file\n")
      }.joined()
  }

  /// Formats a range of lines: the number of the first line and the number of lines.
  ///
  /// If there is only one line, the number of lines is omitted.
  private static func range(from start: Int, count: Int) -> PlainText {
    count == 1 ? "\(start)" : "\(count == 0 ? start - 1 : start),\(count)"
  }
}

/// Returns a line such as `  and 3 more packs`, followed by `suffix`; empty if no packs are left.
func andMore(_ left: Int, noun: String, suffix: String = "", indentation: Int = 2) -> PlainText {
  left > 0 ? "\(Screen.space(indentation))and \(counted(left, of: noun))\(suffix)\n" : ""
}

struct UntaggedFolder {
  /// The path of the folder below the root; "." for the root itself.
  let path: String
  let files: [UntaggedFile]

  var size: Int64 { files.saturatingSum { $0.size } }

  static func all(of files: [UntaggedFile]) -> [UntaggedFolder] {
    Dictionary(grouping: files, by: \.folder).map { path, files in
      UntaggedFolder(path: path, files: files.sorted { ($1.size, $0.path) < ($0.size, $1.path) })
    }.sorted { ($1.size, $0.path) < ($0.size, $1.path) }
  }

  static func text(of files: [UntaggedFile]) -> PlainText {
    all(of: files).map { folder -> PlainText in
      let table = Table(
        folder.files, columns: .number { ByteSize.text($0.size) }, .text { displayed($0.path) })
      return
        "  \(displayed(folder.path)): \(counted(folder.files.count, of: "file")), \(ByteSize.text(folder.size))\n"
        + table.text(indentation: 4)
    }.joined()
  }
}

func decimal(_ value: Double, digits: Int) -> String {
  let scale = (0..<digits).reduce(1) { scale, _ in scale * 10 }
  let scaled = Int((value * Double(scale)).rounded())
  if digits == 0 { return "\(scaled)" }
  let fraction = String(scaled % scale)
  return "\(scaled / scale).\(String(repeating: "0", count: digits - fraction.count))\(fraction)"
}

extension FirstDownload {
  /// A sentence with the size of the app as the store shows it.
  var sentence: String {
    let parts = partsText ?? "without the app; to include it, set \"appBundle\" in the manifest"
    let limit = cellularLimit.map { "; at most \(ByteSize.text($0)) is advised over cellular" } ?? ""
    return "first download, as the store shows it: \(ByteSize.text(size)) (\(parts))\(limit)"
  }

  var json: JSONText {
    .fields([
      "size": size, "app": appSize.map(JSONText.integer) ?? .null, "initialInstall": initialInstall,
      "cellularLimit": cellularLimit.map(JSONText.integer) ?? .null,
    ])
  }
}
