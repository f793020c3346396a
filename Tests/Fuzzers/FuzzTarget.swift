@testable import Formats
@testable import Inspect
@testable import Model
@testable import Packing
@testable import Pipeline
@testable import Play
@testable import Serving
@testable import System

/// A part of packtool that reads files of other programs.
enum FuzzTarget: String, CaseIterable {
  case manifest
  case globs
  case index
  case contents
  case project
  case settings
  case record
  case pack
  case archive
  case plist
  case scenario
  case pointer
  case shard
  case catalog
  case assets
  case request
  case log
  case catalogSet = "catalog-set"
  case elsewhere
  case workspace
  case trace
  case code
  case export
  case head
  case tags

  func run(_ input: [UInt8]) {
    do {
      switch self {
      case .manifest:
        _ = ManifestReader(text: SourceText(path: "Manifest.json", bytes: input))
        restyle(SourceText(path: "Manifest.jsonc", bytes: input))
      case .globs: matchGlob(input)
      case .index: readIndex(input)
      case .contents: try readContents(input)
      case .project: _ = try ProjectResources.read(SourceText(path: "project.pbxproj", bytes: input))
      case .settings: _ = SettingsFile(input)
      case .record:
        if recordFuzzing == nil { recordFuzzing = try RecordFuzzing() }
        try recordFuzzing?.run(input)
      case .pack: try PackFuzzing(input)?.run()
      case .archive: _ = try PackListing(ScratchFile(input).path)
      case .plist: _ = try? PropertyList.read(input)
      case .scenario: _ = ScenarioReader(text: SourceText(path: "scenario.json", bytes: input))
      case .pointer:
        _ = PointerText(contents: input)
        _ = PointerText(linkTarget: input)
      case .shard: try readShard(input)
      case .assets: try readAssets(input)
      case .catalog:
        _ = try AssetCatalog(at: folderPath(of: ScratchFile(input, named: "catalog/Contents.json").path))
      case .request: try readRequest(input)
      case .log:
        let log = RequestLogReader(text: SourceText(path: "log", bytes: input))
        if let link = NetworkProfile.named("3G") { _ = Replay(log, on: link) }
      case .catalogSet:
        var reader = CatalogEntryReader(SourceText(path: "Contents.json", bytes: input))
        _ = reader.read()
      case .tags: _ = PublishedTags(SourceText(path: "tags.json", bytes: input), host: .ownServer)
      case .elsewhere: _ = PacksElsewhere(SourceText(path: "elsewhere.json", bytes: input))
      case .workspace:
        let file = try ScratchFile(input, named: "App.xcworkspace/\(XcodeWorkspace.fileName)")
        _ = try XcodeWorkspace(folderPath(of: file.path))
      case .trace: try smallProject().compare(trace: input)
      case .code: try smallProject().compare(code: input)
      case .export: try ExportFuzzing(input).run()
      case .head: try inspectHead(input)
      }
    } catch {
      // An error would mean that the machine fails, and no input may cause that.
      fatalError("\(error)")
    }
  }
}

/// Created once, because libFuzzer runs one input at a time, on one thread.
nonisolated(unsafe) private var recordFuzzing: RecordFuzzing?

nonisolated(unsafe) private var projectFuzzing: ProjectFuzzing?

private func smallProject() throws -> ProjectFuzzing {
  if let made = projectFuzzing { return made }
  let made = try ProjectFuzzing()
  projectFuzzing = made
  return made
}

/// Uses the input as a file for the checks of contents.
///
/// The checks get the first bytes, and can read other parts of the file.
private func inspectHead(_ input: [UInt8]) throws {
  let head = input.prefix(ContentProblem.headSize)
  _ = try ContentProblem.found(inHead: head.span, size: Int64(input.count)) { offset, count in
    guard let start = Int(exactly: offset), start >= 0, start < input.count else { return [] }
    return Array(input[start...].prefix(count))
  }
}

/// Uses the first line as a glob, and each of the other lines as a path that is matched against it.
private func matchGlob(_ input: [UInt8]) {
  let lines = input.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
  let text = String(decoding: lines[0], as: UTF8.self)
  guard let glob = try? Glob(text) else { return }
  var manifest = Manifest(text: SourceText(path: "Manifest.json", bytes: []), folder: ".")
  let rule = ResourceRule(
    pattern: .glob(glob), text: Located(text, at: 0), tags: [Located("A", at: 0)], destination: nil)
  manifest.rules = [rule]
  manifest.excludes = [glob]
  let rules = RuleMatcher(manifest)
  for line in lines.dropFirst() {
    var state = rules.root
    for name in line.split(separator: UInt8(ascii: "/")) {
      _ = rules.match(name, in: state)
      state = rules.state(below: name, in: state)
    }
  }
}

/// Formats a text.
///
/// Formatting the result again must not change it, and the text must keep its value.
private func restyle(_ text: SourceText) {
  let (value, mistakes) = JSONReader.read(text)
  guard let value, !mistakes.contains(where: { $0.check == .jsonSyntax }),
    let edits = JSONStyle.edits(of: text)
  else {
    return
  }
  let after = SourceText(path: text.path, bytes: EditedText(text, edits: edits).bytes)
  guard let other = JSONReader.read(after).value, JSONText.read(other).text == JSONText.read(value).text,
    JSONStyle.edits(of: after) == []
  else { fatalError("the style changes the text") }
  _ = EditedText(fixing: ManifestReader(text: text).diagnostics, in: text)
}

/// Reads a part of a build.
///
/// A user's mistake can make the part unusable, but no other error may be thrown.
private func readShard(_ input: [UInt8]) throws {
  let folder = folderPath(of: try ScratchFile(input, named: "part/shard.json").path)
  do { _ = try ShardContents(in: folder) } catch is Refusal {}
}

/// Reads the input as each kind of file for Background Assets that packtool reads: the map of ids, a manifest
/// and the tags.
private func readAssets(_ input: [UInt8]) throws {
  let ids = try ScratchFile(input, named: "ids.json").path
  _ = try PackLockfile(idMap: ids, host: .apple)
  _ = try PackLockfile(ledger: ids, of: "com.example.game").bytes
  _ = try DownloadManifest(reading: ids)?.json.bytes()
  let text = SourceText(path: "manifest.json", bytes: input)
  _ = BackgroundManifestReader(text: text).manifest?.json.bytes()
  _ = PublishedTags(text, host: .apple)
  // Use the same bytes as both lists of one pack. Some inputs are manifests that contain this pack, and
  // others are not.
  let folder = folderPath(of: try ScratchFile(input, named: "assets/tags.json").path)
  _ = try ScratchFile(input, named: "assets/manifests/A.json")
  _ = try BackgroundAssetsBuild(at: folder, profile: nil, jobs: 1)
}

/// Uses the lines of the input as a target, a range, conditions, a host and a fault.
private func readRequest(_ input: [UInt8]) throws {
  let lines = input.split(separator: UInt8(ascii: "\n"), maxSplits: 4, omittingEmptySubsequences: false)
  func text(_ line: Int) -> String { line < lines.count ? String(decoding: lines[line], as: UTF8.self) : "" }
  let target = RequestTarget(Array(lines[0]))
  let path = try? RequestPath(target.path)
  for size in [0, 1, 1000, Int64.max] {
    guard case .part(let range) = ByteRange([text(1)], of: size) else { continue }
    if range.isEmpty || range.lowerBound < 0 || range.upperBound > size { fatalError("\(range) of \(size)") }
  }
  _ = [text(2)].have(entityTag: "\"tag\"")
  if HostNames(.loopback).accept(text(3)), text(3).contains("/") { fatalError(text(3)) }
  guard let fault = try? Fault(text(4)) else { return }
  for number in 1...3 { _ = fault.hits(path?.text ?? "packs/a.zip", number: number) }
}

private func readIndex(_ input: [UInt8]) {
  guard let index = readForm(input) else { return }
  _ = IndexConsistency(index, contents: nil).diagnostics
}

/// Uses the bytes before the first zero byte as a list of files, and the bytes after it as the index of these
/// files.
private func readContents(_ input: [UInt8]) throws {
  let parts = input.split(separator: 0, maxSplits: 1, omittingEmptySubsequences: false)
  let index = parts.count == 2 ? readForm(Array(parts[1])) : nil
  let scratch = try ScratchFile(Array(parts[0]))
  let result = try ContentsReader.read(InputFile(scratch.path), packs: index?.packs.map(\.id) ?? ["a", "b"])
  guard let index, let contents = result.contents else { return }
  guard IndexConsistency(index, contents: contents).diagnostics.isEmpty else { return }
  _ = index.limitFindings(contents, profile: nil)
}

private func readForm(_ index: [UInt8]) -> PublishedIndex? {
  IndexReader.index(SourceText(path: "index.json", bytes: index)).index
}
