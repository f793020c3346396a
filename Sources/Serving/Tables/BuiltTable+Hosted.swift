import Findings
import Formats
import PackKit
import Releases
import System

// The layout hosted: zipped packs and the property list that devices read.
extension BuiltTable {
  init(hosted path: String) throws(SystemError) {
    self.init(indexPath: joined(path, PublishedNames.assetPackManifest))
    let export = try XcodeExport(path, readsPacks: false, jobs: 1)
    diagnostics = export.diagnostics.filter { $0.severity == .error }
    guard let resources = export.lists[PublishedNames.assetPackManifest]?["resources"]?.elements else {
      if diagnostics.isEmpty {
        report(
          .missingIndex,
          "\(quoted(path)) has no \(PublishedNames.assetPackManifest) of packs on a server; build with --layout hosted",
          at: path)
      }
      return
    }
    var draft = try TableDraft(.hosted, in: path)
    guard let index = try draft.open(PublishedNames.assetPackManifest, .revalidated) else { return }
    draft.add(index)
    var prefixes: Set<String> = []
    for resource in resources {
      guard let identifier = resource["bundleKey"]?.string,
        let url = resource["URL"]?.string.map(HostedURL.init)
      else {
        report(.damagedIndex, "a resource has no \"bundleKey\" or no \"URL\"", at: indexPath)
        continue
      }
      try add(identifier, url, to: &draft, in: path)
      prefixes.insert(url.prefix)
    }
    if diagnostics.hasErrors { return }
    // A build that was faster has put other packs at these names.
    if !index.isCurrent(at: indexPath) {
      diagnostics = []
      return
    }
    table = ServedTable(draft, index: index, prefix: prefixes.count == 1 ? prefixes.first : nil)
  }

  private mutating func add(
    _ identifier: String, _ url: HostedURL, to draft: inout TableDraft, in folder: String
  ) throws(SystemError) {
    let tags = url.tags(ofPack: identifier)
    guard let name = url.name, let file = try draft.open(name, .revalidated, pack: draft.packs.count) else {
      return reportMissing(tags, at: joined(folder, url.name ?? identifier))
    }
    draft.packs.append(.init(id: identifier, tags: tags, size: file.size))
    draft.add(file, alsoAt: url.path.map { [$0] } ?? [])
  }
}

/// The URL of a pack in a property list.
struct HostedURL {
  private let text: String

  init(_ text: String) {
    self.text = text
  }

  /// All up to the name.
  var prefix: String { text.lastIndex(of: "/").map { String(text[...$0]) } ?? "" }

  /// Its path; nil where it has none.
  var path: RequestPath? {
    guard let scheme = text.firstRange(of: "://"), let slash = text[scheme.upperBound...].firstIndex(of: "/")
    else {
      return nil
    }
    return try? RequestPath(text[slash...].utf8)
  }

  /// The decoded name of the pack's file.
  var name: String? {
    guard let slash = text.lastIndex(of: "/"), let path = try? RequestPath(text[slash...].utf8) else {
      return nil
    }
    return path.text
  }

  /// The tags in the name; none where it was cut, or was not made of them.
  func tags(ofPack identifier: String) -> [String] {
    guard let name, let mark = identifier.firstRange(of: PackIdentity.mark) else { return [] }
    let (app, digest) = (identifier[..<mark.lowerBound], identifier[mark.upperBound...])
    let (front, back) = ("\(app).", "-\(digest)\(PublishedNames.packSuffix)")
    guard name.hasPrefix(front), name.hasSuffix(back), name.utf8.count > front.utf8.count + back.utf8.count
    else {
      return []
    }
    let tags = name.dropFirst(front.count).dropLast(back.count).split(separator: "+").map(String.init)
      .sorted()
    return PackIdentity(tags: tags, bundleIdentifier: String(app)).identifier == identifier ? tags : []
  }
}
