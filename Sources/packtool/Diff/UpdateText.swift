import Formats
import Inspect
import Model
import Pipeline
import System

// A comparison as text. It contains the downloads of each kind of user, the changed packs and files, and
// proposals.
extension UpdateReport {
  private static let maxRows = 10
  private static let maxPacks = 20

  func text(on screen: Screen) -> PlainText {
    func name(_ release: ReleaseContents) -> PlainText {
      let number = release.release.edition.map { " (release \(grouped($0.number)))" } ?? ""
      return "\(displayed(release.name))\(number)"
    }
    let head: PlainText =
      "\(displayed(update.new.bundleIdentifier))\(update.new.bundleIdentifier.isEmpty ? "" : ": ")\(name(update.old)) to \(name(update.new))\(removedTags.suffix)"
    return screen.paint(head, style: .bold) + "\n\n" + counts(on: screen) + downloads(on: screen) + reached
      + changeText(on: screen) + advice(on: screen)
  }

  private var reached: PlainText {
    let sentences = reach?.sentences ?? []
    if sentences.isEmpty { return "" }
    return "\n"
      + sentences.prefix(visibleRows(Self.maxRows)).map { sentence -> PlainText in "\(sentence)\n" }.joined()
      + moreLine(total: sentences.count, maxRows: Self.maxRows, noun: "group")
  }

  private func counts(on screen: Screen) -> PlainText {
    var table = TextTable([.left, .right, .right, .right])
    let isAny = summary.counts.contains { $0.packed ?? 0 > 0 }
    table.add("", "packs", "size", isAny ? "packed" : "")
    for count in summary.counts {
      let packed = isAny ? count.packed.map { ByteSize.text($0) } ?? "-" : ""
      table.add(
        count.status.rawValue, firstCellStyle: Self.style(of: count.status), cells: grouped(count.packs),
        ByteSize.text(count.size),
        packed)
    }
    return table.text(on: Screen(width: nil, isColored: screen.isColored))
  }

  private func downloads(on screen: Screen) -> PlainText {
    var table = TextTable([.left, .right, .right, .right, .right, .right])
    table.add(
      "", "download", update.isPatched ? "by patches" : "", isPacked ? "size" : "", "new and changed files",
      "new contents")
    func add(_ name: String, download: Download) {
      table.add(
        name, ByteSize.text(shownSize(download)), download.patched.map(ByteSize.text) ?? "",
        isPacked ? ByteSize.text(download.byPacks) : "",
        ByteSize.text(download.byFiles), ByteSize.text(download.byContent))
    }
    for user in users { add("a user who has \(user.name)", download: user.download) }
    for (delivery, download) in deliveries { add("packs: \(delivery.title)", download: download) }
    for (tag, download) in downloadedTags.prefix(visibleRows(Self.maxRows)) {
      add("tag \(quoted(tag))", download: download)
    }
    return "\n" + table.text(on: screen)
      + moreLine(total: downloadedTags.count, maxRows: Self.maxRows, noun: "tag")
      + ((caution ?? indexNote).map { screen.wrapped($0) } ?? "")
  }

  private static func style(of status: PackChange.Status) -> Screen.Style? {
    switch status {
    case .unchanged: nil
    case .changed: .yellow
    case .added: .red
    case .removed: .green
    }
  }

  private func visibleRows(_ rows: Int) -> Int { showsAll ? .max : rows }

  private func moreLine(total count: Int, maxRows: Int, noun: String, indentation: Int = 0) -> PlainText {
    andMore(
      count - visibleRows(maxRows), noun: "more \(noun)", suffix: "; --verbose lists all",
      indentation: indentation
    )
  }

  private func changeText(on screen: Screen) -> PlainText {
    let rest = moreLine(total: changes.count, maxRows: Self.maxPacks, noun: "pack")
    return changes.prefix(visibleRows(Self.maxPacks)).map { text(of: $0, on: screen) }.joined()
      + (rest.isEmpty ? "" : "\n" + rest)
  }

  private func text(of change: PackChange, on screen: Screen) -> PlainText {
    let patch = change.patchSize.map { " (\(ByteSize.text($0)) with a patch)" } ?? ""
    let what =
      switch change.status {
      case .changed:
        "\(ByteSize.text(shownSize(change))) downloaded again\(patch) for \(ByteSize.text(change.fileBytes)) "
          + "of new and changed files"
      case .added: "\(ByteSize.text(shownSize(change))) downloaded"
      case .removed, .unchanged: ByteSize.text(change.size)
      }
    let known = Set([change.oldVersion, change.version].compactMap(\.self)).sorted().map(String.init)
    let versions = known.isEmpty ? "" : ", version \(known.joined(separator: " to "))"
    let head = screen.wrapped(
      "\(change.status.rawValue) \(setNotation(change.tags)), \(update.delivery(of: change).title)\(versions): \(what)",
      hangingIndent: 2, firstWord: Self.style(of: change.status))
    let table = Table(
      change.files.prefix(visibleRows(Self.maxRows)), columns: .text { verb(of: $0) },
      .text { quoted(update.path(of: $0)) },
      .number { shownSizes(of: $0) })
    return "\n" + head + table.text(indentation: 2, on: screen)
      + moreLine(total: change.files.count, maxRows: Self.maxRows, noun: "file", indentation: 2)
  }

  private func verb(of file: PackChange.File) -> String {
    guard let other = update.otherPack(of: file) else { return file.change.rawValue }
    return "\(other.isSource ? "moved here from" : "moved to") \(setNotation(other.tags))"
  }

  private func shownSizes(of file: PackChange.File) -> String {
    let (old, new) = update.sizes(of: file)
    if let old, let new, old != new { return "\(ByteSize.text(old)) to \(ByteSize.text(new))" }
    return (new ?? old).map(ByteSize.text) ?? ""
  }

  private func advice(on screen: Screen) -> PlainText {
    if remarks.isEmpty { return "" }
    return "\n"
      + remarks.prefix(visibleRows(Self.maxRows)).map { screen.wrapped("- \($0.message)", hangingIndent: 2) }
      .joined()
      + moreLine(total: remarks.count, maxRows: Self.maxRows, noun: "remark")
  }
}

extension [RemovedTag] {
  /// The end of a first line, which lists removed tags; empty if no tags were removed.
  fileprivate var suffix: String { isEmpty ? "" : "; \(line(startingWith: "removed tags"))" }
}

extension History {
  /// Formats the history, with at most `limit` rows in each table.
  func text(rows limit: Int) -> PlainText {
    return
      "\(displayed(releases[0].bundleIdentifier)): \(counted(updates.count, of: "update"))\(removedTags.suffix)\n\n"
      + updateText
      + packText(limit) + fileText(limit) + tagText(limit) + splitText(limit)
  }

  private var updateText: PlainText {
    var table = TextTable([.left, .right, .right, .right, .right, .right, .right])
    table.add("", "changed", "added", "removed", "download", "new and changed files", "new contents")
    let (total, isPacked) = (total, isPacked)
    func add(_ title: String, counts: [String], download: Download) {
      let sizes = [download.shownSize(isPacked: isPacked), download.byFiles, download.byContent]
      table.add([title] + counts + sizes.map { ByteSize.text($0) })
    }
    for update in summaries {
      let counts = [PackChange.Status.changed, .added, .removed].map { grouped(update.packs($0)) }
      add("\(displayed(update.old)) to \(displayed(update.new))", counts: counts, download: update.total)
    }
    add("all", counts: ["", "", ""], download: total)
    return table.text()
      + (isPacked
        ? "downloads are compressed sizes; all other sizes are uncompressed\n" : "")
  }

  private func packText(_ limit: Int) -> PlainText {
    let packs = changedPacks
    if packs.isEmpty { return "\nno pack changed\n" }
    let table = Table(
      packs.prefix(limit), columns: .text("packs that changed") { setNotation($0.tags) },
      .number("updates") { "\(grouped($0.changes)) of \(grouped($0.updates))" },
      .size("download", bytes: \.download), .size("new and changed files", bytes: \.fileBytes))
    return "\n" + table.text() + Self.more(packs.count - limit)
  }

  private func fileText(_ limit: Int) -> PlainText {
    let files = files
    if files.isEmpty { return "" }
    let table = Table(
      files.prefix(limit), columns: .text("files that changed most often") { quoted($0.path) },
      .count("updates", count: \.changes), .size("bytes", bytes: \.size))
    return "\n" + table.text() + Self.more(files.count - limit)
  }

  private func tagText(_ limit: Int) -> PlainText {
    let tags = tags.filter { $0.download.byPacks > 0 }
    if tags.isEmpty { return "" }
    let table = Table(
      tags.prefix(limit), columns: .text("tags with the largest downloads") { quoted($0.tag) },
      .count("updates", count: \.updates), .size("download", bytes: \.download.byPacks),
      .size("new contents", bytes: \.download.byContent))
    return "\n" + table.text() + Self.more(tags.count - limit)
  }

  private static func more(_ left: Int) -> PlainText {
    left > 0 ? "and \(grouped(left)) more; --verbose lists all\n" : ""
  }

  private func splitText(_ limit: Int) -> PlainText {
    let splits = splits
    if splits.isEmpty { return "" }
    let lines = splits.prefix(limit).map { "- \($0.message)\n" }.joined() + Self.more(splits.count - limit)
    if splits.count == 1 { return "\n" + lines }
    let saving = ByteSize.text(splits.saturatingSum(\.saving))
    return
      "\n\(lines)\ntogether, these changes would have saved \(saving) of \(ByteSize.text(total.byPacks))\n"
  }
}
