import Foundation
import Support
import Testing
@testable import packtool

/// Tests how `packtool init` divides the files of a game: into families with a tag for each member, into files that
/// the game needs from its start, and into files that it needs later or never.
@Suite struct InitFamilyTests {
  // MARK: Files that a game needs from its start

  @Test func `any level needs the units and tiles`() throws {
    var tree = files((1...9).map { "units/tank\($0)/unit.lua" }, size: 2000)
    tree.merge(files((1...4).map { "patches/terrain\($0).png" }, size: 1000)) { $1 }
    tree.merge(files(["island", "tutorial", "desert"].map { "maps/\($0)/setup" }, size: 1500)) { $1 }
    tree["sound/a.wav"] = 3000
    #expect(
      try proposed(tree) == [
        "maps/*/** = Map $1", "patches = Patches", "sound = Sound", "units = Units",
        "initial Map tutorial, Patches, Units",
      ])
  }

  /// A game needs a level, so any level is better than none.
  @Test(arguments: [
    (["Moon", "Alps", "Desert"], "Alps"), (["water2", "rift", "water1"], "water1"),
    (["Moon", "Alps", "default"], "default"),
  ]) func `one level is the first`(names: [String], first: String) throws {
    var tree = files(names.map { "tracks/\($0)/track.xml" }, size: 2000)
    tree["music/a.ogg"] = 3000
    #expect(try proposed(tree).last == "initial Track \(first)")
  }

  @Test func `a game needs a kart and a track`() throws {
    let tree = files(
      ["karts/a/x", "karts/b/x", "karts/c/x", "tracks/d/x", "tracks/e/x", "tracks/f/x"], size: 900)
    #expect(
      try proposed(tree) == ["karts/*/** = Kart $1", "tracks/*/** = Track $1", "initial Kart a, Track d"])
  }

  @Test(arguments: ["mods", "themes", "skins"]) func `no one needs a theme`(folder: String) throws {
    var tree = files(["a", "b", "c"].map { "\(folder)/\($0)/x.dat" }, size: 2000)
    tree["images/x.png"] = 3000
    #expect(try proposed(tree).last == "initial Images")
  }

  @Test func `files in the root stay in the app`() throws {
    var tree = files((1...20).map { "\($0).png" }, size: 500)
    tree["song.ogg"] = 3000
    #expect(try proposed(tree) == ["*.ogg = Music"])
  }

  @Test func `sounds in a folder of another name are not needed first`() throws {
    #expect(
      try proposed(["crowd/a.wav": 4000, "gfx/a.png": 3000, "newgfx/b.png": 5000]) == [
        "crowd = Crowd", "gfx = Gfx", "newgfx = Newgfx", "initial Gfx, Newgfx",
      ])
  }

  /// Otherwise, the proposal would have a finding about two tags that look like one tag with a mistake.
  @Test func `folders with similar names share a tag`() throws {
    var tree = files((1...20).map { "sounds/shot\($0).wav" }, size: 200)
    tree.merge(["gfx/a.png": 4000, "sound/a.wav": 3000]) { $1 }
    #expect(
      try proposed(tree) == ["gfx = Gfx", "sound = Sounds", "sounds = Sounds", "initial Gfx"])
  }

  /// Art and sounds of one game can contain files with the same names.
  @Test func `folders with one sound are no family`() throws {
    let tree = files(
      ["button", "misc", "missile", "stock"].map { "\($0)/0.bmp" } + ["sound/0.wav"], size: 3000)
    #expect(try proposed(tree).count { $0.contains("$1") } == 0)
  }

  /// Devices download the second tag immediately after the app, so that the first screen does not wait for it.
  @Test func `not everything is in the initial install`() throws {
    #expect(
      try proposed(["art/a.png": 5000, "data1/b.dat": 6000]) == [
        "art = Art", "data1 = Data1", "initial Data1", "prefetch Art",
      ])
  }

  @Test func `the initial install is small enough for cellular`() throws {
    let tree: [String: Int64] = [
      "game/base.wz": 140_000, "game/mp.wz": 9000, "fonts/a.ttf": 35_000, "music/a.ogg": 9000,
    ]
    #expect(
      try proposed(tree) == [
        "fonts = Fonts", "game = Game except game/base.wz", "music = Music", "initial Game", "prefetch Fonts",
      ])
  }

  /// Two folders can have the same tag, and only one list can contain it.
  @Test func `no tag is in two lists`() throws {
    let tree: [String: Int64] = [
      "a/art/x": 150_000, "b/art/x": 50_000, "a/y": 3000, "b/y": 3000, "music/z": 9000,
    ]
    let lists = try proposed(tree).filter { $0.hasPrefix("initial") || $0.hasPrefix("prefetch") }
    #expect(lists.count == 2, "\(lists)")
  }

  /// If all files are in packs, a note would say that the size of the app is unknown.
  @Test func `a collection has a first member`() throws {
    let tree = files(
      ["animals", "food", "plants", "space", "town"].flatMap { ["\($0)/a.png", "\($0)/b/c.png"] }, size: 3000)
    let folder = try TemporaryFolder()
    for (path, size) in tree { try folder.writeSparse("stamps/\(path)", size: size * 1000) }
    let run = runTool("init", folder.path("stamps"))
    #expect(run.output.contains(#"initial install: "Stamp animals""#), "\(run.output)")
    #expect(!run.errors.contains("app-bundle-size"), "\(run.errors)")
  }

  // MARK: Families of files

  @Test func `files with one name are one map`() throws {
    var tree = files(
      ["Bad Land", "Hole", "Tutorial"].flatMap { name in
        [".npm", ".opt", ".spn"].map { "maps/\(name)\($0)" }
      }, size: 300)
    tree["maps/readme.txt"] = 1
    tree["pics/a.png"] = 3000
    #expect(
      try proposed(tree) == [
        "maps/*{.npm,.opt,.spn} = Map $1", "pics = Pics", "initial Map Tutorial, Pics",
      ])
  }

  @Test func `two folders of maps share their tags`() throws {
    var tree = files(["a", "b", "c"].flatMap { ["maps/\($0).map", "maps7/\($0).map"] }, size: 900)
    tree["audio/a.wav"] = 3000
    #expect(
      try proposed(tree) == ["audio = Audio", "maps/*.map = Map $1", "maps7/*.map = Map $1", "initial Map a"])
  }

  @Test func `numbered files are in order`() throws {
    var tree = files((0...4).map { "data/world10\($0).blp" }, size: 900)
    tree["data/info.blp"] = 2500
    tree["data/worldmap.blp"] = 10
    tree["movie/a.mkv"] = 9000
    #expect(
      try proposed(tree) == [
        "data/world[0-9]*.blp = World $1$2", "data/* = Data except data/world[0-9]*.blp", "movie = Movie",
        "initial World 100, Data", "prefetch World 101, World 102",
      ])
  }

  /// A request for a small file takes longer than its download.
  @Test func `small files are one tag`() throws {
    var tree = files((1...60).map { "levels/l\($0)x.lvl" }, size: 40)
    tree["gfx/a.png"] = 3000
    tree["music/a.ogg"] = 3000
    #expect(try proposed(tree) == ["gfx = Gfx", "levels = Levels", "music = Music", "initial Gfx, Levels"])
  }

  /// Too many files for a tag each have a tag for each first letter.
  @Test func `a large folder of many files is divided`() throws {
    var tree = files("abcdefgh".flatMap { letter in (1...30).map { "hash/\(letter)x\($0).xml" } }, size: 300)
    tree["gfx/a.png"] = 3000
    #expect(try proposed(tree) == ["gfx = Gfx", "hash/?* = Hash $1", "initial Gfx"])
  }

  @Test func `a large root is divided into its files`() throws {
    let tree = files((1...4).map { "engine\($0).dat" }, size: 20_000)
    #expect(try proposed(tree) == ["*.dat = Part $1", "initial Part engine1"])
  }

  @Test func `music keeps its name`() throws {
    #expect(
      try proposed(["music/win/a.ogg": 3000, "music/b.ogg": 3000, "music/c.ogg": 3000]) == [
        "music = Music", "initial Music",
      ])
  }

  @Test func `a large map is divided into rows`() throws {
    var tree = files((100...104).flatMap { row in (100...119).map { "world/world_\(row)_\($0)" } }, size: 700)
    tree["start/a"] = 3000
    tree["music/a.ogg"] = 3000
    #expect(try proposed(tree).contains("world/world_*_* = World $1"))
  }

  // MARK: Families of folders

  @Test func `a large mod leaves its family`() throws {
    var tree = files(["alpha", "bravo"].map { "mods/\($0)/mod.txt" }, size: 3000)
    for medium in ["animations", "images", "soundfx"] {
      for part in ["avatar", "enemies", "loot", "menus", "icons"] {
        tree["mods/fantasy/\(medium)/\(part)/x"] = medium == "images" ? 7000 : 600
      }
    }
    tree["mods/fantasy/music/a.ogg"] = 30_000
    #expect(
      try proposed(tree) == [
        "*/** = Mod $1 except fantasy/**", "fantasy/animations = Animations", "fantasy/images = Images",
        "fantasy/music = Music", "fantasy/soundfx = Soundfx", "initial Animations, Images",
      ])
  }

  /// A file such as `tileset.txt` shows that a player chooses one of the folders.
  @Test func `a file defines pictures that are a choice`() throws {
    var tree = files(
      ["ASCII", "Neo", "Retro"].flatMap { ["gfx/\($0)/tiles.png", "gfx/\($0)/tileset.txt"] }, size: 900)
    tree["json/a.json"] = 9000
    #expect(try proposed(tree) == ["gfx/*/** = Tileset $1", "json = Json", "initial Json"])
  }

  /// Pictures of planets are art, and a game shows many of them.
  @Test func `pictures of planets are no family`() throws {
    var tree = files(["asteroids", "desert", "ocean"].map { "art/planets/\($0)/a.png" }, size: 4000)
    tree["art/ships/a.png"] = 4000
    tree["sound/a.ogg"] = 9000
    #expect(try proposed(tree) == ["art = Art", "sound = Sound", "initial Art"])
  }

  // MARK: Languages

  @Test func `words for languages are languages`() throws {
    let names = [
      "armenian", "brazilian-portuguese", "czech", "dansk", "deutsch", "espanol", "french", "greek", "hindi",
    ]
    var tree = files(names.map { "themes/\($0)/words.txt" }, size: 300)
    tree["images/a.png"] = 5000
    #expect(try proposed(tree).contains("themes/*/** = Language $1"))
  }

  @Test func `languages have codes of three letters`() throws {
    let tree = files(["eng", "fra", "ita"].map { "\($0)/a.grm" }, size: 3000)
    #expect(try proposed(tree) == ["*/** = Language $1", "initial Language eng"])
  }

  /// A request for a language must not leave out the small languages of another folder.
  @Test func `all folders of languages have rules`() throws {
    var tree = files(["de", "en", "fr"].map { "campaign/languages/data.\($0).po" }, size: 900)
    tree.merge(files(["de", "en", "fr"].map { "core/languages/data.\($0).po" }, size: 50)) { $1 }
    tree.merge(files(["de", "en", "fr"].map { "data/\($0)/stories.blp" }, size: 40)) { $1 }
    tree["music/a.ogg"] = 20_000
    let lines = try proposed(tree)
    for rule in [
      "campaign/languages/data.*.po = Language $1", "core/languages/data.*.po = Language $1",
      "data/*/** = Language $1",
    ] {
      #expect(lines.contains(rule), "\(lines)")
    }
  }

  /// One language has another format, and one folder contains only two things.
  @Test func `a small folder does not hide a language`() throws {
    var tree: [String: Int64] = [:]
    for (folder, names) in [
      ("animals", (1...9).map { "frog\($0)" }), ("food", (1...9).map { "nut\($0)" }),
      ("town", ["bus", "car"]),
    ] {
      for name in names {
        for end in ["_de.ogg", "_en.ogg", "_fr.ogg", "_pt_BR.wav"] {
          tree["\(folder)/\(name)_desc\(end)"] = 200
        }
        tree["\(folder)/\(name).png"] = 300
      }
    }
    let lines = try proposed(tree)
    #expect(lines.contains("**/*_desc_*{.ogg,.wav} = Language $3"), "\(lines)")
    #expect(lines.count { $0.contains("= Language") } == 1, "\(lines)")
  }

  // MARK: Files that are not assets

  @Test func `program code and files for authors get no tags`() throws {
    let tree: [String: Int64] = [
      "python/ai.py": 4000, "test/map": 4000, "editor/a.png": 4000, "docs/a.html": 4000, "images/a.png": 9000,
      "music/a.ogg": 9000, "unused/a.png": 9000,
    ]
    #expect(try proposed(tree) == ["images = Images", "music = Music", "initial Images"])
  }

  @Test func `symlinks to folders are not packed again`() throws {
    let folder = try TemporaryFolder()
    try folder.writeSparse("graphics/naramura/a.png", size: 5_000_000)
    try folder.writeSparse("sound/a.wav", size: 5_000_000)
    try folder.link("graphics/original", to: "naramura")
    #expect(runTool("init", folder.path).status == .done)
    let text = try String(decoding: folder.read("Manifest.json"), as: UTF8.self)
    #expect(text.contains(#""exclude": ["graphics/original"]"#), "\(text)")
    #expect(runTool("plan", folder.path).output.contains("5.00 MB"))
  }

  /// Packs contain only files below the root, so small folders next to a large one decide about the root, too.
  @Test func `no folder of the game is outside of the root`() throws {
    let tree: [String: Int64] = [
      "graphism/house/a.ac": 9000, "graphism/tree/b.ac": 9000, "map/a.png": 100, "sound/a.wav": 200,
    ]
    #expect(try proposed(tree) == ["graphism = Graphism", "initial Graphism"])
  }

  /// One folder without tags among folders with tags looks forgotten.
  @Test func `a small folder shares a rule`() throws {
    let tree: [String: Int64] = [
      "gfx/a.png": 4000, "islands/a.map": 20, "music/a.ogg": 9000, "sound/a.wav": 4000,
    ]
    #expect(
      try proposed(tree) == ["{gfx,islands}/** = Gfx", "music = Music", "sound = Sound", "initial Gfx"])
  }
}
