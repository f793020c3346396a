@testable import Model
@testable import Pipeline
import Support

/// A tree of files that is built like the assets of a game, with sizes at the limits of proposals.
///
/// The trees are the same on each machine.
struct GameTree {
  private(set) var files: [UntaggedFile] = []
  private var dice: Dice

  private static let words = [
    "forest", "cave", "city", "desert", "ice", "tutorial", "classic", "lava", "ocean", "sky", "a,b",
    "default",
  ]
  private static let languages = ["de", "en", "fr", "ja", "pt_BR", "it", "no", "zh-Hans", "cs"]
  private static let wrappers = [
    "", "", "", "data/", "assets/", "usr/share/games/quest/", "quest/data/", "default/", "Doc/",
  ]

  init(seed: UInt64) {
    dice = Dice(seed: seed)
    let top = dice.pick(Self.wrappers)
    let count = 1 + dice.below(4)
    for _ in 0..<count {
      let deep =
        dice.chance(20) ? dice.pick(["pack/", "extras/", "common/", "gfx/", "a/b/c/d/", "maps/"]) : ""
      addPart(in: top + deep)
    }
    if dice.chance(50) { add("\(top)readme.txt", 100) }
    if dice.chance(30) { add("\(top)main.bin", size()) }
    var known: Set<String> = []
    files = files.filter { known.insert($0.path).inserted }
  }

  private mutating func add(_ path: String, _ size: Int64) {
    files.append(UntaggedFile(path: path, size: size))
  }

  /// Returns a size that is often a limit, or next to one.
  private mutating func size() -> Int64 {
    let limit: Int64 = dice.pick([
      1_000, 64_000, 100_000, 500_000, 1_000_000, 2_000_000, 2_000_000, 10_000_000, 16_000_000, 28_500_000,
      57_000_000,
    ])
    return limit + Int64(dice.pick([0, 0, 0, 1, -1]))
  }

  private mutating func names(_ least: Int, _ more: Int, of names: [String]) -> [String] {
    let first = dice.below(names.count), count = min(least + dice.below(more), names.count)
    return (0..<count).map { names[(first + $0) % names.count] }
  }

  private mutating func addPart(in top: String) {
    switch dice.below(24) {
    case 0: addNumberedFolders(in: top)
    case 1:
      addFolders(dice.pick(["chapters", "acts", "parts", "hats"]), in: top, names: ["01_a", "02-b", "10.c"])
    case 2, 3: addFamily(in: top)
    case 4: addNumberedFiles(in: top)
    case 5: addGrid(in: top)
    case 6, 7: addMusic(in: top)
    case 8: addFolders(dice.pick(["locale", "voice", "x"]), in: top, names: names(1, 6, of: Self.languages))
    case 9: addLanguageFiles(in: top)
    case 10:
      let names = names(2, 3, of: Self.languages).map { "\($0).lproj" } + dice.pick([[], ["Base.lproj"]])
      addFolders(dice.pick(["", "text"]), in: top, names: names)
    case 11, 12: addParallelFolders(in: top)
    case 13:
      addFolders(
        dice.pick(["shared", "common"]), in: top, names: dice.pick([["ui", "gfx"], ["x", "y", "z"]]))
    case 14, 15:
      let names = names(2, 4, of: ["images", "sounds", "music", "maps", "fonts", "rest", "story"])
      addFolders(dice.pick(["pack", "data", "world", "res"]), in: top, names: names)
    case 16:
      addFolders("", in: top, names: names(1, 3, of: ["a.atlas", "b.xcassets", "Own/AppIcon.appiconset"]))
    case 17: addCode(in: top)
    case 18:
      addFolders(
        "large", in: top, names: (1...(2 + dice.below(7))).map { "\(Self.words[$0])" }, size: 28_500_000)
    case 19: addFolders("large", in: top, names: names(1, 3, of: Self.words), size: 57_000_000)
    case 20, 21: addThings(in: top)
    case 22: addInnerThings(in: top)
    default:
      let folder = dice.pick(["units", "bin", "fonts"])
      for name in names(1, 4, of: Self.words) { add("\(top)\(folder)/\(name)", size()) }
    }
  }

  /// Adds folders with one or two files each.
  private mutating func addFolders(_ folder: String, in top: String, names: [String], size: Int64? = nil) {
    for name in names {
      let path = top + (folder.isEmpty ? "" : folder + "/") + name
      let own = size ?? self.size()
      add("\(path)/\(dice.pick(["a.png", "b.dat", "c.ogg"]))", own + Int64(dice.below(2)))
      if dice.chance(20) { add("\(path)/inner/d.wav", self.size()) }
    }
    if dice.chance(25), !folder.isEmpty { add("\(top)\(folder)/list.txt", self.size()) }
  }

  private mutating func addNumberedFolders(in top: String) {
    let head = dice.pick(["", "level", "Level ", "act", "frame", "l{"])
    let step = dice.pick([1, 1, 2, 3])
    let names = (0..<(2 + dice.below(4))).map { "\(head)\(1 + $0 * step)" }
    addFolders(
      dice.pick(["levels", "worlds", "storyline", "frames"]), in: top,
      names: names + dice.pick([[], ["Shared"]]))
  }

  private mutating func addFamily(in top: String) {
    let folder = dice.pick(["maps", "tracks", "themes", "music", "maps7", "parts", "mods"])
    let suffixes = dice.pick([[".map"], [".map", ".png"], [".ogg"], [".a,b"], [""]])
    let own = size()
    for name in names(2, 6, of: Self.words) {
      for suffix in suffixes { add("\(top)\(folder)/\(name)\(suffix)", own + Int64(dice.below(2))) }
    }
    for other in ["readme.map", "list.txt", "one.png"] where dice.chance(25) {
      add("\(top)\(folder)/\(other)", size())
    }
  }

  private mutating func addNumberedFiles(in top: String) {
    let head = dice.pick(["world", "level_", "frame", "map-", "Day {"])
    let folder = dice.pick(["", "stuff/", "images/"])
    let own = size()
    for number in 0..<(2 + dice.below(4)) { add("\(top)\(folder)\(head)\(number * 4).dat", own) }
    for other in ["map.dat", "10.png", "x"] where dice.chance(30) {
      add("\(top)\(folder)\(head)\(other)", size())
    }
  }

  private mutating func addGrid(in top: String) {
    for row in 0..<(1 + dice.below(4)) {
      for column in 0..<3 { add("\(top)terrain/world_\(row)_\(column).tile", 19_000_000) }
    }
    for other in ["sky.tile", "land_1_1.tile", "a.b"] where dice.chance(20) {
      add("\(top)terrain/\(other)", size())
    }
  }

  private mutating func addMusic(in top: String) {
    let folder = dice.pick(["music/", "sounds/", "", "songs/"])
    let suffix = dice.pick([".ogg", ".ogg", ".wav", ""])
    let own = dice.pick([size(), 19_000_000, 30_000_000])
    for name in names(1, 10, of: Self.words + ["Forest", "über"]) {
      add("\(top)\(folder)\(name)\(suffix)", own)
    }
    if dice.chance(30) { add("\(top)\(folder)more/theme.mp3", size()) }
  }

  private mutating func addLanguageFiles(in top: String) {
    let form = dice.pick([
      "po/%.po", "lang/game_%.qm", "text_%.txt", "a/hint_desc_%.ogg", "lang/quest.%", "x/%/%.txt",
    ])
    let own = size()
    for language in names(2, 6, of: Self.languages) {
      add(top + form.replacing("%", with: language), own + Int64(dice.below(2)))
      if dice.chance(20) { add(top + form.replacing("%", with: "menu_" + language), own) }
    }
    for other in ["is", "arz", "readme"] where dice.chance(30) {
      add(top + form.replacing("%", with: other), size())
    }
  }

  private mutating func addParallelFolders(in top: String) {
    let names = names(
      2, 4, of: dice.pick([Self.words, Self.languages, ["common", "menus", "icons", "a", "b"]]))
    for folder in self.names(2, 3, of: ["images", "sounds", "script", "levels", "bows", "maps,old"]) {
      for name in names where dice.chance(90) { add("\(top)\(folder)/\(name)/x.dat", size()) }
      if dice.chance(20) { add("\(top)\(folder)/list.txt", size()) }
    }
  }

  private mutating func addCode(in top: String) {
    let folder = dice.pick(["src", "docs", "tools", "unused", "tests"])
    for name in names(1, 4, of: ["a.py", "b.py", "c.png", "guide.txt", "d.sh"]) {
      add("\(top)\(folder)/\(name)", size())
    }
  }

  /// Adds folders with an entry that has the same name in most of them.
  private mutating func addThings(in top: String) {
    let folder = dice.pick(["themes/", "tracks/", "", "addons/", "gfx/", "units/"])
    let entry = dice.pick(["track.xml", "tileset.txt", "NAME.cfg", "data.bin", "readme"])
    let own = size()
    for name in names(2, 8, of: Self.words) {
      if dice.chance(85) { add("\(top)\(folder)\(name)/\(entry.replacing("NAME", with: name))", 100) }
      add("\(top)\(folder)\(name)/\(dice.pick(["x.bin", "x.bin", "y.png"]))", own)
    }
    for other in ["shared", "tests", "images"] where dice.chance(20) {
      add("\(top)\(folder)\(other)/x.bin", size())
    }
  }

  private mutating func addInnerThings(in top: String) {
    let inner = names(2, 3, of: Self.words)
    for folder in ["road", "dirt", "snow"] {
      for name in inner {
        let name = dice.chance(50) ? "\(folder)-\(name)" : name
        add("\(top)tracks/\(folder)/\(name)/track.xml", 100)
        add("\(top)tracks/\(folder)/\(name)/x.bin", dice.pick([29_000_000, 15_000_000]))
      }
    }
    if dice.chance(30) { add("\(top)tracks/list.txt", size()) }
  }
}
