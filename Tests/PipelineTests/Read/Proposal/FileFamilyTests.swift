@testable import Formats
@testable import Model
@testable import Pipeline
import Testing

/// Tests which files of a folder form a family, and how a large folder is divided.
@Suite struct FileFamilyTests {
  private func folder(_ files: [(name: String, size: Int64)], named folder: String) throws
    -> FolderTree.Folder
  {
    let tree = FolderTree(of: files.map { UntaggedFile(path: "\(folder)/\($0.name)", size: $0.size) })
    return try #require(tree.folders.first { $0.path == folder })
  }

  private func facts(_ family: FileFamily) -> String {
    "\(family.rule.rule.text.value) = \(family.rule.rule.templates.map(\.text.value).joined()): "
      + family.tags.joined(separator: ", ")
  }

  /// Returns the family into which a folder of files with one size is divided.
  private func divided(_ names: [String], size: Int64 = 1_000_000, named name: String = "m") throws -> String?
  {
    try divided(names.map { ($0, size) }, named: name)
  }

  private func divided(_ files: [(name: String, size: Int64)], named name: String = "m") throws -> String? {
    FileFamily(dividing: try folder(files, named: name), tag: "T").map(facts)
  }

  @Test func `large maps are divided by their rows`() throws {
    let grid = (1...3).flatMap { row in (1...3).map { "w_\(row)_\($0).tile" } }
    #expect(try divided(grid) == "m/w_*_* = T $1: T 1, T 2, T 3")
    // At most 10 % of the names have another form.
    #expect(try divided(grid + ["sky.tile"]) == "m/w_*_* = T $1: T 1, T 2, T 3")
    #expect(try divided(grid.dropLast() + ["sky.tile", "x.tile"])?.hasPrefix("m/*.tile = T $1: ") == true)
    #expect(try divided(["w_1_1.tile", "w_1_2.tile", "v_2_1.tile"])?.hasPrefix("m/*.tile = T $1: ") == true)
    // A part must be worth a request, and there must be several.
    #expect(try divided(["w_1_1", "w_1_2", "w_2_1"], size: 42_667) == "m/w_*_* = T $1: T 1, T 2")
    #expect(try divided(["w_1_1", "w_1_2", "w_2_1"], size: 42_666) == nil)
    #expect(try divided(["w_1_1", "w_1_2"]) == nil)
  }

  @Test func `files of a few suffixes get a tag each`() throws {
    #expect(try divided(["b.ogg", "a.ogg"]) == "m/*.ogg = T $1: T a, T b")
    #expect(try divided(["a.ogg", "b.ogg", "a.wav", "c.wav"]) == "m/*{.ogg,.wav} = T $1: T a, T b, T c")
    // At most 20 % of the files are others.
    #expect(try divided(["a.ogg", "b.ogg", "c.ogg", "d.ogg", "x.txt"])?.hasPrefix("m/*.ogg = ") == true)
    #expect(try divided(["a.ogg", "b.ogg", "c.ogg", "x.txt"]) == "m/?* = T $1: T a, T b, T c, T x")
    let four = ["a", "b", "c", "d"].flatMap { ["1.\($0)", "2.\($0)"] }
    #expect(try divided(four) == "m/*{.a,.b,.c,.d} = T $1: T 1, T 2")
    #expect(try divided(four + ["1.e", "2.e"]) == "m/?* = T $1: T 1, T 2")
    #expect(try divided((0..<200).map { "f\($0).x" })?.hasPrefix("m/*.x = ") == true)
    #expect(try divided((0..<201).map { "f\($0).x" }) == nil)
    #expect(try divided(["a.ogg", "b.ogg"], size: 57_000_000) != nil)
    #expect(try divided(["a.ogg", "b.ogg"], size: 57_000_001) == nil)
    #expect(try divided(["a.ogg"]) == nil && divided(["a.ogg", "b.ogg"], named: "m*") == nil)
  }

  @Test func `other files are divided by their first letters`() throws {
    #expect(try divided(["apple", "ant", "bee"]) == "m/?* = T $1: T a, T b")
    #expect(
      try divided(["Apple", "ant"]) == nil && divided(["_a", "b"]) == nil && divided(["é", "b"]) == nil)
    #expect(try divided([("a1", 28_500_000), ("a2", 28_500_000), ("b", 1_000_000)]) != nil)
    #expect(try divided([("a1", 28_500_000), ("a2", 28_500_001), ("b", 1_000_000)]) == nil)
    #expect(try divided(["apple", "ant"]) == nil)
  }

  private func families(_ files: [(name: String, size: Int64)], named name: String, noun: String) throws
    -> [FileFamily]
  {
    // Families have at least 500,000 bytes.
    FileFamily.families(
      in: try folder(files, named: name), noun: noun, sizes: ProposalSizes(whole: 5_000_000))
  }

  @Test func `the files of a folder such as maps are its members`() throws {
    func found(_ names: [String], size: Int64 = 200_000, others: [(name: String, size: Int64)] = []) throws
      -> [String]
    {
      try families(names.map { ($0, size) } + others, named: "maps", noun: "Map").map(facts)
    }
    let maps = ["forest.map", "cave.map", "city.map"]
    #expect(try found(maps) == ["maps/*.map = Map $1: Map cave, Map city, Map forest"])
    #expect(try found(Array(maps.prefix(2)), size: 400_000).isEmpty)
    // A suffix belongs to the family if half as many files have it.
    #expect(try found(maps + ["cave.png", "city.png"])[0].hasPrefix("maps/*{.map,.png} = "))
    #expect(try found(maps + ["cave.png"]) == ["maps/*.map = Map $1: Map cave, Map city, Map forest"])
    #expect(try found(maps, others: [("x.bin", 400_000)]).count == 1)
    #expect(try found(maps, others: [("x.bin", 400_001)]).isEmpty)
    #expect(try found(maps + ["readme.map"])[0].contains("readme") == false)
    #expect(try found(maps, size: 166_667).count == 1 && found(maps, size: 166_666).isEmpty)
    #expect(try families(maps.map { ($0, 200_000) }, named: "stuff", noun: "Thing").isEmpty)
    let family = try #require(try families(maps.map { ($0, 200_000) }, named: "maps", noun: "Map").first)
    #expect(family.size == 600_000 && family.fileCount == 3 && !family.isOrdered && family.noun == "Map")
  }

  @Test func `files with numbers are in the order of the numbers`() throws {
    func found(_ names: [String], named name: String = "stuff") throws -> [String] {
      try families(names.map { ($0, 200_000) }, named: name, noun: "Thing").map(facts)
    }
    let worlds = ["world10.dat", "world9.dat", "world1.dat"]
    #expect(try found(worlds) == ["stuff/world*.dat = World $1: World 1, World 9, World 10"])
    #expect(try found(worlds + ["worldmap.dat"])[0].hasPrefix("stuff/world[0-9]*.dat = World $1$2: "))
    #expect(try found(worlds + ["worldmap.png", "map.dat"])[0].hasPrefix("stuff/world*.dat = "))
    #expect(
      try found(["frame1.dat", "frame2.dat", "frame3.dat"]).isEmpty && found(worlds, named: "images").isEmpty)
    #expect(try found(["world_1_1.dat", "world_1_2.dat", "world_1_3.dat"]).isEmpty)
    #expect(try found(["world*1.dat", "world*2.dat", "world*3.dat"]).isEmpty)
    let two = try found(worlds + ["level_1.dat", "level_2.dat", "level_3.dat"])
    #expect(two.map { $0.prefix(11) } == ["stuff/level", "stuff/world"])
    #expect(try families(worlds.map { ($0, 200_000) }, named: "stuff", noun: "").first?.isOrdered == true)
  }
}
