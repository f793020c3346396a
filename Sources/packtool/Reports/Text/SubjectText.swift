import Findings
import PackKit
import System

/// What `explain` says of something in a plan, for people.
enum SubjectText {
  /// All that a word names in a plan, with an empty line between two.
  static func text(of subjects: [SubjectFacts]) -> String {
    subjects.map(text).joined(separator: "\n")
  }

  private static func text(of subject: SubjectFacts) -> String {
    switch subject {
    case .file(let file): text(of: file)
    case .untaggedFile(let file): text(of: file)
    case .folder(let folder): text(of: folder)
    case .tag(let tag): text(of: tag)
    case .pack(let pack, let files): text(of: pack, files)
    }
  }

  private static func text(of file: FileFacts) -> String {
    var text = "file \(quoted(file.path)): \(counted(file.size, "byte"))\n"
    text += "  tags: \(setNotation(file.tags))\n"
    for rule in file.rules { text += "    \(claim(of: rule))\n" }
    if file.hasDestination { text += "  inside its pack: \(quoted(file.packPath))\n" }
    guard let pack = file.pack else { return text }
    let others = pack.fileCount - 1
    text += "  pack: \(displayed(pack.identity.identifier))\n"
    text += "    files with just these tags: this one"
    text += others == 0 ? "\n" : " and \(counted(others, "other")), \(ByteSize.text(pack.size))\n"
    return text + delivery(of: pack) + requests(for: pack)
  }

  private static func text(of file: UntaggedFileFacts) -> String {
    if let exclusion = file.exclusion {
      return "file \(quoted(file.path)): never packed, for \(quoted(exclusion)) is excluded\n"
    }
    var text = "file \(quoted(file.path)): no tags, so it stays in the app bundle\n"
    text += file.nearRules.isEmpty ? "  no rule comes near it\n" : "  no rule matches it; the nearest:\n"
    for (rule, reason) in file.nearRules {
      text += "    \(displayed(rule.place)): \(kind(of: rule)) \(reason)\n"
    }
    return text
  }

  private static func text(of folder: FolderFacts) -> String {
    if folder.shares.isEmpty {
      let reason = folder.exclusion.map { "nothing is packed, for \(quoted($0)) is excluded" }
      return "folder \(quoted(folder.path)): \(reason ?? "no file below it has tags")\n"
        + untagged(in: folder)
    }
    var text =
      "folder \(quoted(folder.path)): \(counted(folder.fileCount, "tagged file")), \(ByteSize.text(folder.size))\n"
    var table = TextTable([.left, .right, .right, .left])
    for share in folder.shares {
      table.add(
        setNotation(share.tags), counted(share.fileCount, "file"), ByteSize.text(share.size),
        share.delivery.title)
    }
    text += table.text(indentation: 2)
    for rule in folder.rules { text += "  \(claim(of: rule))\n" }
    return text + untagged(in: folder)
  }

  /// The files of a folder that stay in the app bundle.
  private static func untagged(in folder: FolderFacts) -> String {
    if folder.untagged.isEmpty { return "" }
    let size = ByteSize.text(folder.untagged.saturatingSum { $0.size })
    return "  untagged, in the app bundle: \(counted(folder.untagged.count, "file")), \(size)\n"
      + UntaggedFolder.text(of: folder.untagged)
  }

  private static func text(of tag: TagFacts) -> String {
    var text =
      "tag \(quoted(tag.tag)): \(tag.delivery.title), \(counted(tag.packs.count, "pack")), "
      + "\(counted(tag.fileCount, "file")), \(ByteSize.text(tag.size))\n"
    text += tag.listings.map(line).joined()
    text += "  a request for it downloads, in this order, what is not there yet:\n"
    var table = TextTable([.right, .left, .right, .right, .left])
    for (place, pack) in tag.packs.enumerated() {
      table.add(
        "\(place + 1)", setNotation(pack.tags), counted(pack.fileCount, "file"), ByteSize.text(pack.size),
        pack.delivery.title)
    }
    text += table.text(indentation: 4)
    text += "  given by \(counted(tag.rules.count, "rule")):\n"
    for rule in tag.rules {
      text += "    \(displayed(rule.place)): \(kind(of: rule))\(source(of: rule))\n"
    }
    return text
  }

  private static func text(of pack: PackFacts, _ files: [PackedFile]) -> String {
    var text =
      "pack \(setNotation(pack.tags)): \(counted(pack.fileCount, "file")), \(ByteSize.text(pack.size))\n"
    text += "  id: \(displayed(pack.identity.identifier))\n  name: \(displayed(pack.identity.name))\n"
    text += delivery(of: pack) + requests(for: pack) + "  files:\n"
    var table = TextTable([.right, .left])
    for file in files { table.add(grouped(file.size), displayed(file.path)) }
    return text + table.text(indentation: 4)
  }
}

// What several of these texts say.
extension SubjectText {
  /// When a pack is downloaded, where in the order, and which tag of the manifest's lists decides it.
  private static func delivery(of pack: PackFacts) -> String {
    var text = "  delivery: \(pack.delivery.title)"
    if let place = pack.place { text += ", place \(place.number) of \(place.count)" }
    text += (pack.priority.map { ", priority \(PlanText.rounded($0))" } ?? "") + "\n"
    return text + pack.listings.map(line).joined()
  }

  private static func line(of listing: TagListing) -> String {
    "    \(displayed(listing.place)): \(quoted(listing.tag)) is number \(listing.number) of \(quoted(listing.key))\n"
  }

  private static func requests(for pack: PackFacts) -> String {
    let tags = pack.tags.map { quoted($0) }.joined(separator: " or ")
    return "  a request for \(tags) downloads it, \(ByteSize.text(pack.size))\n"
  }

  private static func claim(of rule: RuleFacts) -> String {
    let tags = rule.tags + (rule.made.isEmpty ? rule.templates : rule.made)
    return "\(displayed(rule.place)): \(kind(of: rule)) gives \(listed(tags))\(source(of: rule))"
  }

  /// The templates that made tags.
  private static func source(of rule: RuleFacts) -> String {
    rule.made.isEmpty ? "" : " by \(listed(rule.templates))"
  }

  /// `path "Levels/1"` or `glob "Music/*.ogg"`.
  private static func kind(of rule: RuleFacts) -> String { "\(rule.key) \(quoted(rule.pattern))" }
}
