@testable import Archiving
import Formats
@testable import Model
@testable import Packing
@testable import Pipeline
@testable import System
import Foundation
import Support
import Testing

/// Tests that every value of an index and of its lists must be present and must have the right type.
@Suite struct IndexValueTests {
  /// A step on the way from the top of a JSON text to a value: a key or an index.
  private enum Step {
    case key(String)
    case index(Int)
  }

  /// Keys that are optional in an index, and keys with any value.
  private static let optional: Set<String> = ["priority", "language", "patches", "device", "packed"]

  private func json(_ folder: TemporaryFolder) throws -> Any {
    try JSONSerialization.jsonObject(with: folder.read("out/index.json"))
  }

  /// Returns the positions of all values in a JSON value.
  private func places(in value: Any, _ steps: [Step] = []) -> [[Step]] {
    let below: [[Step]] =
      switch value {
      case let object as [String: Any]: object.flatMap { places(in: $1, steps + [.key($0)]) }
      case let array as [Any]: array.enumerated().flatMap { places(in: $1, steps + [.index($0)]) }
      default: []
      }
    return [steps] + below
  }

  /// Returns a value in which the part at one position is replaced; nil removes that part.
  private func changed(_ value: Any, at steps: ArraySlice<Step>, to new: Any?) -> Any? {
    guard let step = steps.first else { return new }
    switch step {
    case .key(let key):
      var object = value as? [String: Any] ?? [:]
      object[key] = object[key].flatMap { changed($0, at: steps.dropFirst(), to: new) }
      return object
    case .index(let index):
      var array = value as? [Any] ?? []
      if let element = changed(array[index], at: steps.dropFirst(), to: new) { array[index] = element }
      return array
    }
  }

  private func value(_ value: Any, at steps: [Step]) -> Any {
    steps.reduce(value) { value, step in
      switch step {
      case .key(let key): (value as? [String: Any])?[key] ?? ""
      case .index(let index): (value as? [Any])?[index] ?? ""
      }
    }
  }

  private func type(of value: Any) -> String {
    switch value {
    case is String: "string"
    case is [Any]: "array"
    case is [String: Any]: "object"
    case is NSNumber: "number"
    default: "null"
    }
  }

  private func index(_ value: Any, in folder: TemporaryFolder) throws -> BuiltFolder {
    try folder.write("out/index.json", JSONSerialization.data(withJSONObject: value))
    return try BuiltFolder(folder.path("out"))
  }

  @Test func `every value of an index is needed and has one type`() throws {
    let site = try PatchSite()
    _ = try site.build()
    let folder = site.site.folder
    let whole = try json(folder)
    #expect(try index(whole, in: folder).diagnostics == [])
    for place in sample(30, of: places(in: whole).filter { !$0.isEmpty }) {
      let old = value(whole, at: place)
      for new in ["?", 1.5, -1, true, [] as [Any], [:] as [String: Any], NSNull()] as [Any] {
        if type(of: new) == type(of: old), old is String || old is [Any] || old is [String: Any] { continue }
        let text = try #require(changed(whole, at: place[...], to: new))
        let built = try index(text, in: folder)
        #expect(built.index == nil, "\(place) as \(new)")
        #expect(built.diagnostics.contains { $0.check == .damagedIndex }, "\(place) as \(new)")
      }
      guard case .key(let key)? = place.last, !Self.optional.contains(key) else { continue }
      // The keys of "tags" are tags, and no particular tag is required.
      if place.count == 2, case .key("tags") = place[0] { continue }
      let without = try #require(changed(whole, at: place[...], to: nil))
      #expect(try index(without, in: folder).index == nil, "without \(place)")
    }
  }

  /// Values of the right type that packtool would never write.
  @Test(arguments: [
    ("\"size\": [0-9]+", "\"size\": 9007199254740993", false),
    ("\"size\": [0-9]+", "\"size\": 9007199254740992", true),
    ("\"path\": \"patches/", "\"path\": \"packs/", false),
    ("\"path\": \"patches/", "\"path\": \"patches/more/", false),
    ("\"path\": \"patches/", "\"path\": \"more/patches/", false),
    ("\"path\": \"patches/", "\"path\": \"patches/../", false),
    ("\"path\": \"packs/", "\"path\": \"packs/more/", true),
    ("\"path\": \"packs/", "\"path\": \"packs/../packs/", false),
    ("\"path\": \"packs/", "\"path\": \"./packs/", false),
    ("\"path\": \"packs/", "\"path\": \"packs//", false),
    ("\"formatVersion\": 1", "\"formatVersion\": 1, \"release\": 1", true),
    ("\"formatVersion\": 1", "\"formatVersion\": 1, \"release\": 0", false),
    ("\"formatVersion\": 1", "\"formatVersion\": 1, \"release\": 9007199254740992", true),
    ("\"formatVersion\": 1", "\"formatVersion\": 1, \"release\": 9007199254740993", false),
    (
      "\"formatVersion\": 1", "\"formatVersion\": 1, \"release\": 1, \"expires\": \"2027-01-31T00:00:00Z\"",
      true
    ),
    ("\"formatVersion\": 1", "\"formatVersion\": 1, \"release\": 1, \"expires\": \"2027-01-31\"", false),
    (
      "\"formatVersion\": 1", "\"formatVersion\": 1, \"device\": {\"name\": \"d\", \"products\": [\"p\"]}",
      true
    ),
    ("\"formatVersion\": 1", "\"formatVersion\": 1, \"device\": {\"name\": \"d\"}", false),
    ("\"formatVersion\": 1", "\"formatVersion\": 1, \"device\": {\"products\": []}", false),
    ("\"formatVersion\": 1", "\"formatVersion\": 0", false),
    ("\"formatVersion\": 1", "\"formatVersion\": 2", false),
  ]) func `values have bounds`(old: String, new: String, isRead: Bool) throws {
    let site = try PatchSite()
    _ = try site.build()
    let folder = site.site.folder
    let text = String(decoding: try folder.read("out/index.json"), as: UTF8.self)
    let range = try #require(text.range(of: old, options: .regularExpression))
    try folder.write("out/index.json", text.replacingCharacters(in: range, with: new))
    let built = try BuiltFolder(folder.path("out"))
    #expect((built.index != nil) == isRead)
    #expect(built.diagnostics.contains { $0.check == .damagedIndex } || isRead)
  }

  /// Tests the same values as the test above, but in the file list.
  ///
  /// Each line of the list is a file.
  @Test(arguments: [
    ("a/1", "a\\\\1", false), ("a/1", "a/./1", false), ("a/1", "a//1", false), ("a/1", "a/1/", false),
    ("a/1", "", false), ("a/1", "..", false), ("a/1", "a/..1", true), ("a/1", "a/\\u0000", false),
    ("a/1", "a/\\u007f", false), ("a/1", "a/1 ", true), ("a/1", "a/1b", true),
    ("\"size\": 3", "\"size\": 9007199254740992", true), ("\"size\": 3", "\"size\": 9007199254740993", false),
    ("\"size\": 3", "\"size\": 9999999999999999999", false), ("\"size\": 3", "\"size\": -1", false),
    ("\"size\": 3", "\"size\": 03", false),
    ("\"size\": 3", "\"size\": 3.5", false), ("\"size\": 3", "\"size\": 3.0", true),
    ("\"size\": 3", "\"size\": \"3\"", false), ("\"size\": 3", "\"size\": 0", true),
    ("\"packed\"", "\"packet\"", true), ("\"packed\": 3", "\"packed\": -3", false),
    ("\"path\"", "\"peth\"", false), ("\"pack\"", "\"peck\"", false), ("\"digest\"", "\"dig\"", false),
    ("\"path\": ", "\"path\" ", false), ("\"size\": ", "\"size\"; ", false),
  ]) func `a line of the list is read or refused`(old: String, new: String, isRead: Bool) throws {
    let site = try ScanSite("a/1", "a/2")
    try site.build([.path("a", "A")])
    let folder = site.folder
    let list = try #require(try BuiltFolder(folder.path("out")).index?.contents)
    let text = String(decoding: try folder.read("out/\(list.path)"), as: UTF8.self)
    let range = try #require(text.range(of: old))
    let changed = text.replacingCharacters(in: range, with: new)
    try folder.write("list.json", changed)
    let packs = try #require(try BuiltFolder(folder.path("out")).index).packs.map(\.id)
    let result = try ContentsReader.read(InputFile(folder.path("list.json")), packs: packs)
    #expect(
      (result.contents != nil) == isRead && result.diagnostics.isEmpty == isRead, "\(result.diagnostics)")
    #expect(result.diagnostics.allSatisfy { $0.check == .damagedIndex && $0.place.position?.line == 3 })
    if isRead { #expect(result.contents?.count == 2) }
    // The list contains compressed sizes either for all files of a pack or for none of them.
    #expect((result.contents?.packedSizes(ofPack: 0) != nil) == (isRead && old != "\"packed\""))
  }

  /// Tokens can begin in one window and end in the next.
  @Test(arguments: [JSONStream.maxTokenSize - 1, JSONStream.maxTokenSize, JSONStream.maxTokenSize + 1])
  func `tokens have a bound`(length: Int) throws {
    let folder = try TemporaryFolder()
    let isRead = length <= JSONStream.maxTokenSize
    for value in ["\"\(String(repeating: "x", count: length))\"", String(repeating: "1", count: length)] {
      try folder.write("list.json", "{\"x\": \(value), \"files\": [], \"formatVersion\": 1}")
      let result = try ContentsReader.read(InputFile(folder.path("list.json")), packs: [])
      #expect((result.contents != nil) == isRead)
      #expect(result.diagnostics.map(\.place.position?.column) == (isRead ? [] : [7]))
    }
  }
}

/// Tests the checks for additional bytes after the files of a pack, and for the compression method of a
/// patch's entries.
@Suite struct PackFormTests {
  @Test(arguments: [Container.tarGzip, .tarZstandard, .zip])
  func `a pack ends with its last file`(container: Container) throws {
    let site = try ScanSite("a/1", "a/2")
    let built = try site.build([.path("a", "A")], .test(container))
    let path = "out/\(try #require(built.packs.first).archive.path)"
    let contents = try #require(try BuiltFolder(site.folder.path("out")).contents)
    func isNonCanonical() throws -> Bool {
      let faults = try PackContentVerifier(
        ExpectedFiles(ofPack: 0, in: contents), at: site.folder.path(path), format: container.format
      ).faults
      #expect(faults.isNonCanonical != faults.isEmpty && faults.notes.count == (faults.isEmpty ? 0 : 1))
      return faults.isNonCanonical
    }
    let whole = try site.folder.read(path)
    #expect(try !isNonCanonical())
    for tail in [Data([0]), Data([1, 2, 3]), whole] {
      try site.folder.write(path, whole + tail)
      #expect(try isNonCanonical(), "\(tail.count) bytes more")
    }
    try site.folder.write(path, whole.dropLast())
    #expect(try isNonCanonical())
  }

  /// The entries must have the method "stored".
  ///
  /// With the method "deflated", other programs would try to inflate the frames, which are not deflate
  /// streams.
  @Test func `the frames of a patch are stored`() throws {
    let site = try PatchSite()
    _ = try site.build()
    let folder = site.site.folder
    let patch = try #require(try site.patches()[["C"]])
    _ = try PatchFile(folder.path("out/\(patch.path)"))
    var bytes = Array(patch.bytes)
    let signatures: [[UInt8]] = [[0x50, 0x4b, 3, 4], [0x50, 0x4b, 1, 2]]
    for (signature, shift) in zip(signatures, [0, 2]) {
      let name = Array(patch.entries[1].name.utf8)
      let place = try #require(
        bytes.indices.dropLast(110).first { place in
          Array(bytes[place..<place + 4]) == signature
            && Array(bytes[(place + (shift == 0 ? 30 : 46))...].prefix(name.count)) == name
        })
      // Set the version that deflate requires, and the method deflate.
      bytes[place + 4 + shift] = 20
      if shift == 2 { bytes[place + 4] = 20 }
      bytes[place + 8 + shift] = 8
    }
    try folder.write("changed.zip", Data(bytes))
    let error = #expect(throws: ArchiveFormatError.self) { try PatchFile(folder.path("changed.zip")) }
    #expect(error?.reason == "an entry of the zip is compressed")
  }

  @Test func `the files of a recipe stand by their paths`() throws {
    let site = try PatchSite()
    _ = try site.build()
    let recipe = try #require(try site.patches()[["A"]]).content("patch.json")
    var lines = String(decoding: recipe, as: UTF8.self)
    func findings() -> [String] {
      IndexReader.recipe(SourceText(path: "patch.json", bytes: Array(lines.utf8))).1.map(\.message)
    }
    #expect(findings() == [])
    lines = lines.replacingOccurrences(of: "\"a/a.txt\"", with: "\"a/A.txt\"")
    #expect(findings().count == 1 && findings()[0].contains("\"a/A.txt\""))
    lines = lines.replacingOccurrences(of: "\"a/A.txt\"", with: "\"a/Z.txt\"")
    #expect(findings().count == 1)
  }
}

/// Tests reading a folder while a build is being published in it.
@Suite struct UndisturbedLookTests {
  private let site: ScanSite

  init() throws {
    site = try ScanSite("a/1")
    try site.build([.path("a", "A")])
  }

  /// Returns how often the folder was read.
  ///
  /// The first attempt always finds an incomplete state.
  private func looks(at path: String = "out", _ meanwhile: (ScanSite) throws -> Void) throws -> Int {
    let reader = try ConsistentRead(at: site.folder.path(path))
    var count = 0
    let seen = try reader.result(isComplete: { $0 > 1 }) {
      count += 1
      if count == 1 { try meanwhile(site) }
      return count
    }
    #expect(seen == count)
    return count
  }

  @Test func `what is whole is looked at once`() throws {
    let reader = try ConsistentRead(at: site.folder.path("out"))
    var count = 0
    let seen = try reader.result(isComplete: { _ in true }) {
      count += 1
      try site.folder.write("out/packs/new", "")
      return count
    }
    #expect(seen == 1 && count == 1)
  }

  @Test(arguments: ["out", "out/", "out/index.json"])
  func `a look while a build publishes is taken again`(path: String) throws {
    #expect(try looks(at: path) { _ in } == 1)
    #expect(try looks(at: path) { try $0.folder.write("out/packs/new", "") } == 2)
    #expect(try looks(at: path) { try $0.folder.write("out/new", "") } == 2)
    // In memory, the removal of a file may give its folder a time that is some milliseconds old.
    site.waitForClockTick()
    #expect(try looks(at: path) { try FileOperations.removeFile($0.folder.path("out/new")) } == 2)
    // The change is not in the output folder of a build, so the folder is read only once.
    #expect(try looks(at: path) { try $0.folder.write("new", "") } == 1)
  }

  @Test func `a look that fails is taken again, and may fail`() throws {
    let reader = try ConsistentRead(at: site.folder.path("out"))
    var count = 0
    func fail() throws -> Int {
      count += 1
      throw SiteFailure(description: "\(count)")
    }
    #expect(throws: SiteFailure.self) { try reader.result(isComplete: { _ in true }, read: fail) }
    #expect(count == 1)
    try site.folder.write("out/packs/new", "")
    #expect(throws: SiteFailure.self) { try reader.result(isComplete: { _ in true }, read: fail) }
    #expect(count == 3)
    let error = #expect(throws: SiteFailure.self) { try reader.result(isComplete: { _ in true }, read: fail) }
    #expect(error?.description == "5")
  }

  @Test func `no build works in a folder without a lock`() throws {
    try FileOperations.remove(site.folder.path("out/.packtool"))
    #expect(try looks { try $0.folder.write("out/packs/new", "") } == 1)
  }
}
