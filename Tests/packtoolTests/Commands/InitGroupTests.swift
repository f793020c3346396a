import Formats
import Foundation
import Support
import Testing
@testable import packtool

/// Tests which folders `packtool init` takes for levels, for languages, and for parts of a game's art.
@Suite struct InitGroupTests {
  /// A language that packtool does not know does not hide the rule of the folder, and files in other folders do not
  /// change it.
  @Test func `a stray language leaves the rule of the folder`() throws {
    let languages = ["de", "en_GB", "es", "fr", "it", "pt_BR", "arz", "be-tarask", "qqq", "zh-hant"]
    var tree = files(languages.map { "strings/Game_\($0).properties" }, size: 300)
    tree.merge(files(["de", "fr"].map { "base/resources_\($0).properties" }, size: 10)) { $1 }
    tree["strings/Game.properties"] = 200
    tree["music/a.ogg"] = 5000
    #expect(
      try proposed(tree) == [
        "music = Music",
        "strings/Game_*.properties = Language $1",
      ])
  }

  @Test func `all files of a language get its tag`() throws {
    var tree: [String: Int64] = ["Music/a.ogg": 5000, "Locale/stub.lua": 1]
    for language in ["de", "en", "fr", "pt_BR"] {
      for name in ["\(language).lua", "\(language).txt", "missions_\(language).txt", "game_\(language).qm"] {
        tree["Locale/\(name)"] = 300
      }
    }
    #expect(
      try proposed(tree) == [
        "Music = Music",
        "Locale/{game,missions}_*{.qm,.txt} = Language $1",
        "Locale/*{.lua,.txt} = Language $1 except Locale/{game,missions}_*, Locale/stub.lua",
        "initial Language en",
      ])
  }

  @Test(arguments: ["po/LANG.po", "locale/LANG.po", "lang/text.LANG"])
  func `folders of languages have one rule`(form: String) throws {
    var tree = files(["de", "en", "fr", "ja"].map { form.replacing("LANG", with: $0) }, size: 400)
    tree["music/a.ogg"] = 5000
    tree["\(folderPath(of: form))/README"] = 1
    let lines = try proposed(tree)
    #expect(lines.contains("\(form.replacing("LANG", with: "*")) = Language $1"), "\(lines)")
    #expect(lines.contains("initial Language en"), "\(lines)")
  }

  /// Large files next to the languages have a tag of their own.
  @Test func `files next to languages are tagged`() throws {
    var tree = files(["de", "en", "fr", "ja"].map { "speech/hero_\($0).ogg" }, size: 900)
    tree["speech/roar.wav"] = 3000
    #expect(
      try proposed(tree) == [
        "speech/hero_*.ogg = Language $1",
        "speech/* = Speech except speech/hero_*.ogg",
        "initial Language en",
      ])
  }

  /// The numbers of acts are an order, but the numbers of explosions and models are only names.
  @Test func `only things that are played have an order`() throws {
    var tree = files((0..<5).map { "textures/explode/explosion\($0)/a.png" }, size: 800)
    tree.merge(files(["123", "139", "247"].map { "droids/\($0)/a.png" }, size: 400)) { $1 }
    tree.merge(files(["1hmelee", "2hranged", "3h"].map { "motions/\($0)/a.png" }, size: 400)) { $1 }
    tree.merge(files(["act1", "act2", "act3"].map { "storyline/\($0)/map" }, size: 900)) { $1 }
    #expect(
      try proposed(tree) == [
        "droids = Droids", "motions = Motions",
        "storyline/act*/** = Act $1",
        "textures = Textures", "initial Act 1, Droids, Motions, Textures",
        "prefetch Act 2, Act 3",
      ])
  }

  @Test func `a folder of art is whole`() throws {
    var tree = files(
      ["bow", "sword"].flatMap { weapon in
        ["hit", "walk", "idle"].map { "graphics/hero/\(weapon)/\($0)/dir.ff" }
      }, size: 400)
    tree.merge(files(["fire", "magic", "stars", "axe"].map { "graphics/effects/\($0)/dir.ff" }, size: 1500)) {
      $1
    }
    tree["graphics/menu/a.png"] = 200
    tree["levels/island/map"] = 400
    tree["levels/desert/map"] = 400
    tree["levels/tutorial/map"] = 400
    #expect(
      try proposed(tree) == [
        "graphics = Graphics",
        "levels/*/** = Level $1",
        "initial Level tutorial, Graphics",
      ])
  }

  /// A tag that is too large loses its largest folders, and only these.
  @Test func `large art loses its largest parts`() throws {
    var tree = files(["a", "b", "c", "d"].map { "graphics/droids/\($0)/x.png" }, size: 20_000)
    tree["graphics/trees/x.png"] = 40_000
    tree["graphics/items/x.png"] = 10_000
    tree["maps/x.map"] = 40_000
    #expect(
      try proposed(tree) == [
        "graphics/droids/*/** = Droid $1",
        "graphics = Graphics except graphics/droids/**", "maps = Maps", "initial Graphics, Maps",
      ])
  }

  @Test func `large music has a tag for each song`() throws {
    var tree = files(["a", "b", "c"].map { "music/\($0).ogg" }, size: 30_000)
    tree["images/x.png"] = 3000
    #expect(try proposed(tree) == ["images = Images", "music/*.ogg = Music $1", "initial Images"])
  }

  @Test func `levels voices and music leave the folder of their medium`() throws {
    var tree = files(["alf", "bob", "cat"].map { "sound/voices/\($0)/hi.ogg" }, size: 2000)
    tree["sound/music/a.ogg"] = 9000
    tree["sound/click.wav"] = 3000
    tree["maps/x.map"] = 9000
    #expect(
      try proposed(tree) == [
        "maps = Maps",
        "sound/music = Music",
        "sound/voices/*/** = Voice $1",
        "sound = Sound except sound/music/**, sound/voices/**", "initial Maps",
      ])
  }

  /// If each character has a body and a team, the characters are still not levels.
  @Test func `parts of characters are no levels`() throws {
    var tree = files(
      ["gnu", "tux", "konqi"].flatMap { ["body/\($0)/a.xml", "team/\($0)/b.xml"] }, size: 600)
    tree["maps/a.map"] = 5000
    #expect(try proposed(tree).areAll { !$0.contains("Level") })
  }

  /// Small folders next to a large one belong to the same app, so the root is above them.
  @Test func `the root is above the folders of the app`() throws {
    var tree = files(
      ["fonts/a.ttf", "images/b.png", "lang/c.txt", "html/d.html"].map { "data/\($0)" }, size: 100)
    tree.merge(
      files(
        ["data/mods/a/x", "data/mods/b/x", "data/mods/c/x", "data/mods/d/x", "data/mods/e/x"], size: 9000)
    ) { $1 }
    let lines = try proposed(tree)
    #expect(lines == ["mods/*/** = Mod $1"], "\(lines)")
  }

  /// A tag for each folder of tracks would be too large.
  @Test func `large groups are divided further`() throws {
    let tree = files(
      ["dirt/hill", "dirt/sand", "road/alps", "road/city", "oval/bowl", "oval/ring"].map {
        "tracks/\($0)/a.png"
      },
      size: 40_000
    ).merging(["music/a.ogg": 50_000]) { $1 }
    #expect(try proposed(tree) == ["music = Music", "tracks/*/*/** = Track $2", "initial Track hill"])
  }

  /// The files of an installed program are below folders of the system.
  @Test func `documentation is not an asset`() throws {
    let tree = files(
      ["doc/x/a.html", "doc/x/b.html", "games/x/x/a.png", "games/x/x/b.ogg"].map { "usr/share/\($0)" },
      size: 500)
    #expect(try proposed(tree) == ["x = X", "initial X"])
  }
}
