package import Formats
package import Model
package import Pipeline
import System

/// A short list of rules that assign tags to files.
///
/// The rules are for folders and globs where possible.
package struct TagRules {
  package private(set) var rules: [ResourceRule] = []
  private static let maxGlobSize = 90

  /// A file, or a folder whose files all have the same tags.
  private struct Part {
    let name: String
    let isFolder: Bool
    let tags: [String]
  }

  /// Makes rules for files.
  ///
  /// Files without tags get no rule.
  package init(_ files: [(path: String, tags: [String])]) {
    let files = files.sorted { $0.path.precedesInBytes($1.path) }
    if let whole = addRules(for: files[...], in: "") { add(".", tags: whole) }
  }

  /// Adds rules for the files of a folder.
  ///
  /// If all files have the same tags, adds no rules and returns the tags instead.
  private mutating func addRules(for range: ArraySlice<(path: String, tags: [String])>, in folder: String)
    -> [String]?
  {
    if let first = range.first, range.allSatisfy({ $0.tags == first.tags }) { return first.tags }
    let start = folder.isEmpty ? 0 : folder.utf8.count + 1
    var parts: [Part] = []
    var rest = range
    var count = 0
    while let first = rest.first {
      count += 1
      let own = first.path.utf8.dropFirst(start)
      let name = String(own.prefix { $0 != UInt8(ascii: "/") }) ?? ""
      let path = joined(below: folder, rest: name)
      let isFolder = name.utf8.count < own.count
      let start = path + "/"
      let members = isFolder ? rest.prefix { $0.path.hasPrefix(start) } : rest.prefix(1)
      rest = rest[members.endIndex...]
      if let tags = isFolder ? addRules(for: members, in: path) : first.tags {
        parts.append(Part(name: name, isFolder: isFolder, tags: tags))
      }
    }
    addTemplate(for: &parts, of: count, in: folder)
    for isFolder in [false, true] {
      let kind = parts.filter { $0.isFolder == isFolder }
      let endings = isFolder ? [:] : Dictionary(grouping: kind) { fileEnding($0.name) }
      let alike = Dictionary(grouping: kind, by: \.tags).sorted { $0.key.lexicographicallyPrecedes($1.key) }
      for (tags, parts) in alike where !tags.isEmpty {
        addRules(for: parts, endings: endings, tags: tags, in: folder)
      }
    }
    return nil
  }

  /// Adds a tag template for folders whose tags are equal to their names, if the parent folder contains only
  /// such folders.
  private mutating func addTemplate(for parts: inout [Part], of count: Int, in folder: String) {
    let named = parts.filter { $0.isFolder && $0.tags == [$0.name] }
    guard named.count > 2, named.count == count, Glob.isPlain(folder) else { return }
    let text = joined(below: folder, rest: "*/**")
    guard let glob = try? Glob(text),
      let rule = ResourceRule(
        glob: glob, text: Located(text, at: 0), tags: [], templates: [Located("$1", at: 0)])
    else { return }
    rules.append(rule)
    parts = []
  }

  /// Adds rules for files or subfolders of one folder that have the same tags.
  private mutating func addRules(
    for parts: [Part], endings: [String: [Part]], tags: [String], in folder: String
  ) {
    if parts.count == 1 { return add(joined(below: folder, rest: parts[0].name), tags: tags) }
    let end = parts[0].isFolder ? "/**" : ""
    var rest = parts
    let own = Set(parts.map { fileEnding($0.name) }).sorted()
    for ending in own where !ending.isEmpty && Glob.isPlain(ending) {
      guard let same = endings[ending], same.count > 1, same.allSatisfy({ $0.tags == tags }) else { continue }
      rest.removeAll { fileEnding($0.name) == ending }
      addGlob(joined(below: folder, rest: "*.\(ending)"), tags: tags)
    }
    var names: [String] = []
    func flush(_ rules: inout TagRules) {
      if names.count == 1 { rules.add(joined(below: folder, rest: names[0]), tags: tags) }
      if names.count > 1 {
        rules.addGlob(
          joined(below: folder, rest: "{\(names.joined(separator: ","))}\(end)"), tags: tags)
      }
      names = []
    }
    for part in rest {
      guard Glob.isPlain(folder), Glob.isPlain(part.name), !part.name.contains(",") else {
        add(joined(below: folder, rest: part.name), tags: tags)
        continue
      }
      if names.reduce(folder.utf8.count, { $0 + $1.utf8.count + 1 }) + part.name.utf8.count > Self.maxGlobSize
      {
        flush(&self)
      }
      names.append(part.name)
    }
    flush(&self)
  }

  private mutating func add(_ path: String, tags: [String]) {
    add((try? RelativePath(path)).map(ResourceRule.Pattern.path), text: path, tags: tags)
  }

  private mutating func addGlob(_ glob: String, tags: [String]) {
    add((try? Glob(glob)).map(ResourceRule.Pattern.glob), text: glob, tags: tags)
  }

  private mutating func add(_ pattern: ResourceRule.Pattern?, text: String, tags: [String]) {
    guard let pattern, !tags.isEmpty else { return }
    rules.append(
      ResourceRule(pattern: pattern, text: Located(text, at: 0), tags: tags.map { Located($0, at: 0) }))
  }
}

extension JSONText {
  fileprivate var text: String { String(decoding: line.array(), as: UTF8.self) }
}

/// Returns the characters after the last dot of a name; empty if there is no dot.
private func fileEnding(_ name: String) -> String {
  name.lastIndex(of: ".").map { String(name[name.index(after: $0)...]) } ?? ""
}

extension Tagging {
  /// Returns the rules that assign these tags to the files of a plan.
  func rules(for plan: PackPlan) -> [ResourceRule] {
    let names = sets.indices.map { self.names(ofSet: $0) }
    let tagged = zip(plan.tree.files, packOfFile).map { ($0.path, $1 < 0 ? [] : names[Int($1)]) }
    // Untagged files are included, because no rule may assign tags to them.
    return TagRules(tagged + plan.tree.untaggedFiles.map { ($0.path, []) }).rules
  }
}

/// The manifest keys whose values are paths relative to the manifest's folder.
///
/// Each element is a list of nested keys.
package let pathKeys: [[String]] = [
  ["$schema"], ["root"], ["appBundle", "path"], ["layout", "idMap"], ["layout", "ledger"],
]

/// Returns the edits that keep a manifest's paths valid when its text moves to another folder.
private func edits(of text: SourceText, value: JSONValue, prefixedBy folders: [String]) -> [TextEdit] {
  pathKeys.compactMap { keys in
    let found = keys.reduce(Optional(value)) { $0?.member($1) }
    guard let found, let path = found.string, !path.contains("://"), !path.hasPrefix("/") else { return nil }
    return text.replacing(valueAt: found.offset, by: JSONText.string(prefixed(path, by: folders)).text)
  }
}

/// Converts a path that is relative to one folder to a path that is relative to another folder.
///
/// `folders` are the path components that lead from the other folder to the first folder.
private func prefixed(_ path: String, by folders: [String]) -> String {
  var names = folders
  for name in path.split(separator: "/") where name != "." {
    if name == ".." && names.last ?? ".." != ".." { names.removeLast() } else { names.append(String(name)) }
  }
  return names.isEmpty ? "." : names.joined(separator: "/")
}

extension TagProposal {
  /// Returns the manifest of a plan with the proposed tags, in the style of `fmt`.
  ///
  /// Keys that have nothing to do with tags do not change.
  ///
  /// `folders` are the path components that lead from the new manifest's folder to the folder of the plan's
  /// manifest.
  package func manifest(for plan: PackPlan, prefixedBy folders: [String] = []) -> EditedText? {
    let text = plan.manifest.text
    guard let value = JSONReader.read(text).value else { return nil }
    let rules = tagging.rules(for: plan)
    var members: [(String, JSONText)] = [
      ("resources", .array(rules.map(\.json))),
      ("initialInstallTags", .strings(tagging.initialInstall)),
      ("prefetchTagOrder", .strings(tagging.prefetch)),
    ]
    if value.member("tags") != nil { members.append(("tags", .strings(tagging.usedTags))) }
    var edits = folders.isEmpty ? [] : edits(of: text, value: value, prefixedBy: folders)
    var added = ""
    if !folders.isEmpty && value.member("root") == nil {
      added = ", \"root\": \(JSONText.string(prefixed(".", by: folders)).text)"
    }
    for (key, json) in members {
      let written = json.text
      if let old = value.member(key) {
        edits += [text.replacing(valueAt: old.offset, by: written)].compactMap(\.self)
      } else if written != "[]" {
        added += ", \"\(key)\": \(written)"
      }
    }
    if !added.isEmpty, let rules = value.member("resources"),
      let end = text.replacing(valueAt: rules.offset, by: "")?.range.upperBound
    {
      edits.append(TextEdit(end..<end, replacement: added))
    }
    edits.sort { ($0.range.lowerBound, $0.range.upperBound) < ($1.range.lowerBound, $1.range.upperBound) }
    let edited = SourceText(path: text.path, bytes: text.bytes.applying(edits))
    let styled = edited.bytes.applying(JSONStyle.edits(of: edited) ?? [])
    return EditedText(
      text, edits: [TextEdit(0..<text.bytes.count, replacement: String(decoding: styled, as: UTF8.self))])
  }
}
