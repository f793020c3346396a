/// Makes tags from the names of folders.
enum TagWords {
  /// Returns `Music` for `music`, `Boss Fights` for `boss_fights`.
  static func title(_ name: String) -> String {
    let words = name.split { "_- ".contains($0) }
    return words.isEmpty
      ? name : words.map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined(separator: " ")
  }

  /// Returns the word for one item of a folder: `Level` for `levels`, `Story` for `Stories`, `Box` for
  /// `boxes`.
  static func singular(_ name: String) -> String {
    let title = title(name)
    let lower = title.lowercased()
    if lower.hasSuffix("ies"), lower.utf8.count > 4 { return title.dropLast(3) + "y" }
    if ["ches", "shes", "sses", "xes"].contains(where: lower.hasSuffix) { return String(title.dropLast(2)) }
    if lower.hasSuffix("s"), !lower.hasSuffix("ss"), lower.utf8.count > 3 { return String(title.dropLast()) }
    return title
  }

  /// Whether a name is too general to describe the contents of a folder.
  static func isGeneric(_ name: String) -> Bool {
    [
      "", "default", "extras", "extra", "data", "assets", "res", "resources", "content", "files", "all",
      "official", "misc", "usr", "share", "games",
    ].contains(name.lowercased())
  }

  /// Returns the name without its suffix if Xcode and apps treat a folder with this name, such as a catalog,
  /// as one item; otherwise nil.
  static func bundle(_ name: String) -> String? {
    let suffixes = [".xcassets", ".atlas", ".spriteatlas", ".scnassets", ".bundle"]
    return suffixes.first(where: name.hasSuffix).map { String(name.dropLast($0.utf8.count)) }
  }

  /// Whether the files of a folder with this name are probably used by all other folders.
  static func isShared(_ name: String) -> Bool {
    ["shared", "share", "common", "core", "base", "general", "global", "lib", "libs", "library"].contains(
      name.lowercased())
  }

  /// Whether a folder with this name contains files of one medium, and not one thing of a game.
  static func isMedium(_ name: String) -> Bool { isArt(name) || isHeardOrWatched(name) }

  /// Whether a folder with this name contains music, sounds or films, without which an app can start.
  static func isHeardOrWatched(_ name: String) -> Bool {
    isMusic(name)
      || [
        "sound", "sounds", "snd", "sfx", "fx", "soundfx", "soundeffects", "wav", "wavs", "ogg", "audio",
        "voice",
        "voices", "speech", "video", "videos", "movie", "movies", "cutscenes", "cinematics",
      ].contains(name.lowercased().filter { $0 != "_" && $0 != "-" })
  }

  /// Whether a folder with this name contains pictures or models that a game combines.
  static func isArt(_ name: String) -> Bool {
    [
      "images", "image", "img", "imgs", "graphics", "gfx", "graph", "pics", "pictures", "picture", "art",
      "artwork",
      "textures", "texture", "sprites", "sprite", "models", "meshes", "materials", "animations",
      "backgrounds",
      "pixmaps", "pixmap", "tiles", "particles", "bitmaps", "png", "tex",
    ].contains(name.lowercased())
  }

  static func isMusic(_ name: String) -> Bool {
    ["music", "musics", "songs", "tunes", "soundtrack", "soundtracks", "bgm"].contains(
      name.lowercased())
  }

  /// The rank of a tag among the tags that an app can start with; the lowest rank is the best.
  ///
  /// An app can start without sounds, and more easily without music.
  static func rankAsFirst(_ tag: String) -> Int { isMusic(tag) ? 2 : isHeardOrWatched(tag) ? 1 : 0 }

  /// Whether a file with this name contains music in a format that is too large for short sounds.
  static func isMusicFile(_ name: String) -> Bool {
    hasSuffix(name, oneOf: ["ogg", "mp3", "opus", "flac", "m4a", "xm", "s3m", "it", "mod"])
  }

  /// Whether a file with this name contains music, sounds or a film.
  static func isHeardOrWatched(fileName name: String) -> Bool {
    isMusicFile(name)
      || hasSuffix(
        name,
        oneOf: [
          "wav", "aif", "aiff", "caf", "aac", "wv", "mid", "mp4", "m4v", "mov", "mkv", "ogv", "webm", "avi",
          "mpg",
          "bik",
        ])
  }

  private static func hasSuffix(_ name: String, oneOf suffixes: [String]) -> Bool {
    guard let dot = name.lastIndex(of: ".") else { return false }
    return suffixes.contains(name[dot...].dropFirst().lowercased())
  }

  /// Whether a file with this name contains program code and not an asset.
  ///
  /// Games load scripts such as `.lua` files as assets.
  static func isProgramCode(fileName: String) -> Bool {
    hasSuffix(
      fileName,
      oneOf: [
        "py", "pyc", "pyi", "c", "cc", "cpp", "h", "hpp", "java", "rb", "pl", "pm", "sh", "go", "rs", "swift",
        "hs",
      ])
  }

  /// Whether a file or folder with this name contains documentation.
  static func isDocumentation(_ name: String) -> Bool {
    ["doc", "docs", "documentation", "manual", "license", "licenses", "man"].contains(name.lowercased())
      || [
        "readme", "license", "licence", "copying", "copyright", "authors", "changelog", "credits", "install",
        "news", "todo",
      ].contains(name.lowercased().prefix { $0.isLetter } + "")
  }

  /// Whether a folder with this name contains files that an app no longer uses, or does not use yet.
  static func isUnused(_ name: String) -> Bool {
    ["unlinked", "unused", "obsolete", "deprecated", "backup", "backups", "trash", "attic"].contains(
      name.lowercased())
  }

  /// Whether a folder with this name is for the authors of an app, and not for its users.
  static func isForAuthors(_ name: String) -> Bool {
    ["test", "tests", "testing", "editor", "editors", "tools", "build", "cmake"].contains(name.lowercased())
  }

  /// Whether players play things with this name, such as levels, one after the other.
  ///
  /// Numbers of other things, such as frames, models and explosions, are not an order.
  static func isPlayedInOrder(_ noun: String) -> Bool {
    [
      "level", "act", "chapter", "episode", "world", "map", "mission", "pack", "stage", "campaign",
      "scenario",
      "story", "storyline", "part", "quest", "zone", "area", "round", "lesson", "dungeon", "scene", "day",
      "season", "set", "levelset", "levelpack", "puzzle", "book", "tier", "region", "planet", "island",
    ].contains(lastWord(of: noun))
  }

  /// Whether a player chooses one of the things with this name, such as a track or a theme.
  static func isChosen(_ noun: String) -> Bool {
    (isPlayedInOrder(noun) && lastWord(of: noun) != "part")
      || [
        "theme", "skin", "track", "course", "circuit", "kart", "car", "vehicle", "ship", "character", "hero",
        "fighter", "mod", "addon", "plugin", "module", "landscape", "voice", "arena", "room", "place",
        "location",
        "city", "adventure", "activity", "board", "game", "race", "country", "biome", "terrainset",
        "opponent",
        "battle", "event", "challenge", "tutorial", "language", "tileset", "faction",
      ].contains(lastWord(of: noun))
  }

  /// Whether an app works without any of the things with this name, such as mods and themes.
  static func isOptional(_ noun: String) -> Bool {
    [
      "mod", "addon", "plugin", "module", "theme", "skin", "tileset", "voice", "language", "landscape",
      "campaign", "adventure", "scenario",
    ].contains(lastWord(of: noun))
  }

  /// Whether pictures and sounds are of things with this name, so that a folder of art contains no family of them.
  static func isDepicted(_ noun: String) -> Bool {
    [
      "planet", "island", "region", "zone", "area", "country", "city", "biome", "vehicle", "ship", "car",
      "kart",
      "set", "room", "place", "location", "board", "book", "day", "round", "faction", "event", "race", "game",
      "part", "terrainset", "landscape",
    ].contains(lastWord(of: noun))
  }

  private static func lastWord(of noun: String) -> String {
    noun.lowercased().split { "_- .".contains($0) }.last.map(String.init) ?? ""
  }

  /// Whether a member of a family with this name is probably the first one that an app needs.
  static func isBeginning(_ name: String) -> Bool {
    let words = name.lowercased().split { "_- .".contains($0) }
    let whole = [
      "default", "start", "base", "core", "main", "standard", "basic", "original", "classic", "first",
    ]
    return words.count == 1 && whole.contains(String(words[0]))
      || words.contains {
        ["tutorial", "tutorials", "intro", "introduction", "prologue", "beginner"].contains($0)
      }
  }

  /// Whether a folder with this name contains products or caches of programs, at any depth.
  static func isCache(_ name: String) -> Bool {
    (name.hasPrefix(".") && name.utf8.count > 1)
      || ["node_modules", "__pycache__", "DerivedData", "CMakeFiles", "bower_components", "Pods"].contains(
        name)
  }

  /// Whether a folder with this name at the top of a project contains products of builds.
  static func isBuildProduct(_ name: String) -> Bool {
    let name = name.lowercased()
    return ["build", "builds", "dist", "out", "target", "obj", "bin", "debug", "release"].contains(name)
      || name.hasPrefix("cmake-build")
  }

  /// Whether a folder with this name belongs to an operating system and not to an app.
  static func isOfSystem(_ name: String) -> Bool {
    ["usr", "share", "lib", "etc", "var", "games", "locale", "java"].contains(name) || accompaniesAssets(name)
  }

  /// Whether a folder with this name contains documentation or icons of an installed program.
  static func accompaniesAssets(_ name: String) -> Bool {
    [
      "bin", "doc", "docs", "doc-base", "man", "applications", "pixmaps", "icons", "metainfo", "appdata",
      "lintian",
      "bug", "menu", "mime", "fonts",
    ].contains(name)
  }

  /// Whether an entry with this name is at the top of a project.
  static func marksProject(_ name: String) -> Bool {
    [
      "src", "source", "sources", "CMakeLists.txt", "Makefile", "meson.build", "package.json", "Cargo.toml",
      "configure.ac", "SConstruct", "setup.py", "pyproject.toml", "build.gradle", "build.gradle.kts",
      "Package.swift", "go.mod",
    ].contains(name) || name.hasSuffix(".xcodeproj") || name.hasSuffix(".sln")
  }

  /// Whether a project usually keeps its assets in a folder with this name.
  static func holdsAssets(_ name: String) -> Bool {
    ["assets", "data", "res", "resources", "gamedata", "content"].contains(name.lowercased())
  }

  /// Whether an app probably needs the files of a folder with this name when it starts.
  static func isEssential(_ name: String) -> Bool {
    [
      "ui", "gui", "hud", "font", "fonts", "ttf", "shader", "shaders", "script", "scripts", "scripting",
      "config",
      "conf", "settings", "startup", "startme", "icon", "icons", "skins", "editor", "po", "i18n", "txts",
      "schema",
      "lua", "menu", "menus", "interface", "cursor", "cursors", "pointers", "glade", "widgets", "buttons",
      "dialogs",
    ].contains(name.lowercased())
  }

  /// Whether a name is the English or native name of a language: `german`, `Deutsch`, `brazilian_portuguese`.
  static func isLanguageName(_ name: String) -> Bool {
    let words = name.lowercased().split { "_- ".contains($0) }.map(String.init)
    return words.contains(where: languageNames.contains)
      && words.allSatisfy { languageNames.contains($0) || languageQualifiers.contains($0) }
  }

  /// Whether a name is the name of a language: `fr`, `pt_BR`, `zh-Hans`, `sr@latin`.
  static func isLanguage(_ name: String) -> Bool {
    let parts = name.split(maxSplits: 2, omittingEmptySubsequences: false) { "_@-".contains($0) }
    guard let code = parts.first, languages.contains(String(code)) else { return false }
    // The second part must be a region or a script, because a name such as "as_book" is not a language.
    return parts.dropFirst().allSatisfy { part in
      let isRegion = part.utf8.count == 2 && part.utf8.allSatisfy(isLetter)
      let isNumber = part.utf8.count == 3 && part.allSatisfy(\.isNumber)
      let isScript = part.utf8.count == 4 && part.first?.isUppercase == true && part.utf8.allSatisfy(isLetter)
      return isRegion || isNumber || isScript || name.contains("@")
    }
  }

  /// Whether a file or folder with this name in a folder belongs to a language.
  ///
  /// Words such as "english" are also names of nations, so they count only in a folder such as `locale`.
  static func isLanguage(_ name: String, inFolder folder: String) -> Bool {
    let words = [
      "lang", "locale", "i18n", "l10n", "translation", "text", "voice", "speech", "dub", "msg", "message",
    ]
    return isLanguage(name)
      || (isLanguageName(name) && words.contains(where: folder.lowercased().contains))
  }

  /// Whether the names are language names, and at least one of them is a common language for apps.
  ///
  /// Without the second condition, words such as "is" and "no" would count as languages, because they are
  /// also language codes.
  static func areLanguages(_ names: [String]) -> Bool {
    let codes = Set(names.map { $0.prefix { !"_@-".contains($0) }.lowercased() })
    return names.count > 1
      && (!codes.isDisjoint(with: ["en", "de", "fr", "es", "ja", "eng", "deu", "ger", "fra", "fre", "spa"])
        || names.contains(where: isLanguageName))
  }

  /// Whether a name has the form of a language code, such as `arz`, `be-tarask` or `zh-hant`, even if packtool
  /// does not know the code.
  static func hasFormOfLanguage(_ name: String) -> Bool {
    // Some programs write "ptbr" and "zhcn".
    if name.utf8.count == 4, ["br", "pt", "cn", "tw", "hk", "gb", "us", "mx"].contains(name.suffix(2)) {
      return isLanguage(String(name.prefix(2)))
    }
    let parts = name.split(omittingEmptySubsequences: false) { "_@-.".contains($0) }
    guard let code = parts.first, (2...3).contains(code.utf8.count),
      code.utf8.allSatisfy({ $0 >= 0x61 && $0 <= 0x7a })
    else { return false }
    return parts.count <= 3
      && parts.dropFirst().allSatisfy { part in
        (2...8).contains(part.utf8.count)
          && part.utf8.allSatisfy { isLetter($0) || (0x30...0x39).contains($0) }
      }
  }

  /// The tag of English if it is one of the languages; otherwise nil.
  static func english(among languages: some Sequence<String>) -> String? {
    languages.filter { ["en", "eng", "english"].contains($0.lowercased()) }.min().map { "Language \($0)" }
  }

  /// Whether a language has a region or a script: `pt_BR`, `zh-Hans`, `sr@latin`.
  static func hasRegion(_ language: String) -> Bool {
    guard let mark = language.firstIndex(where: { "_@-".contains($0) }) else { return false }
    return language[mark] == "@"
      || language[mark...].dropFirst().first.map { $0.isUppercase || $0.isNumber } ?? false
  }

  private static let languageNames = Set(
    ("english german french spanish italian portuguese russian polish dutch czech swedish danish finnish norwegian "
      + "hungarian turkish greek japanese chinese korean romanian ukrainian slovak catalan basque galician bulgarian "
      + "croatian serbian bosnian slovenian macedonian albanian lithuanian latvian estonian icelandic irish welsh "
      + "breton scottish belarusian belarussian armenian georgian azerbaijani kazakh kyrgyz uzbek chuvash tatar "
      + "hebrew arabic persian farsi urdu hindi bengali assamese gujarati punjabi oriya marathi nepali sinhala tamil "
      + "telugu kannada malayalam thai vietnamese indonesian malay tagalog filipino mongolian swahili afrikaans zulu "
      + "wolof esperanto latin asturian occitan luxembourgish faroese bokmal nynorsk jamaican "
      + "deutsch francais italiano espanol nederlands svenska dansk suomi norsk polski magyar cestina hrvatski turkce "
      + "euskara portugues")
      .split(separator: " ").map(String.init))

  /// Words that occur next to names of languages.
  private static let languageQualifiers: Set = [
    "brazilian", "brazil", "european", "american", "british", "canadian", "mexican", "swiss", "austrian",
    "simplified", "traditional", "cyrillic", "us", "uk",
  ]

  private static func isLetter(_ byte: UInt8) -> Bool { (0x41...0x5a).contains(byte & 0xdf) }

  /// The language codes of ISO 639-1, and the ISO 639-2 codes that occur in free games.
  private static let languages = Set(
    ("aa ab ae af ak am an ar as av ay az ba be bg bh bi bm bn bo br bs ca ce ch co cr cs cu cv cy da de dv dz ee el en eo "
      + "es et eu fa ff fi fj fo fr fy ga gd gl gn gu gv ha he hi ho hr ht hu hy hz ia id ie ig ii ik io is it iu ja jv "
      + "ka kg ki kj kk kl km kn ko kr ks ku kv kw ky la lb lg li ln lo lt lu lv mg mh mi mk ml mn mr ms mt my na nb nd ne "
      + "ng nl nn no nr nv ny oc oj om or os pa pi pl ps pt qu rm rn ro ru rw sa sc sd se sg si sk sl sm sn so sq sr ss st "
      + "su sv sw ta te tg th ti tk tl tn to tr ts tt tw ty ug uk ur uz ve vi vo wa wo xh yi yo za zh zu "
      + "eng deu ger fra fre ita spa por rus pol nld dut ces cze jpn zho chi kor swe dan fin nor hun tur "
      + "ang ast bem bho csb fil frp fur gsw hsb kab mai nds sco szl vec")
      .split(separator: " ").map(String.init))
}
