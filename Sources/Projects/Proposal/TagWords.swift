/// The words of tags that are made of names of folders.
enum TagWords {
  /// `Music` for `music`, `Boss Fights` for `boss_fights`.
  static func title(_ name: String) -> String {
    let words = name.split { "_- ".contains($0) }
    return words.isEmpty
      ? name : words.map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined(separator: " ")
  }

  /// The title of one thing of a folder's: `Level` for `levels`, `Story` for `Stories`, `Box` for `boxes`.
  static func singular(_ name: String) -> String {
    let title = title(name)
    let lower = title.lowercased()
    if lower.hasSuffix("ies"), lower.utf8.count > 4 { return title.dropLast(3) + "y" }
    if ["ches", "shes", "sses", "xes"].contains(where: lower.hasSuffix) { return String(title.dropLast(2)) }
    if lower.hasSuffix("s"), !lower.hasSuffix("ss"), lower.utf8.count > 3 { return String(title.dropLast()) }
    return title
  }

  /// Whether a name says too little to name what is in it.
  static func isGeneric(_ name: String) -> Bool {
    [
      "", "default", "extras", "extra", "data", "assets", "resources", "content", "files", "all", "official",
      "misc",
    ]
    .contains(name.lowercased())
  }

  /// The name of a folder that is one thing to Xcode and apps, such as a catalog of pictures, without its suffix; nil
  /// for a folder of things.
  static func bundle(_ name: String) -> String? {
    let suffixes = [".xcassets", ".atlas", ".spriteatlas", ".scnassets", ".bundle"]
    return suffixes.first(where: name.hasSuffix).map { String(name.dropLast($0.utf8.count)) }
  }

  /// Whether files of such a folder are used by all others.
  static func isShared(_ name: String) -> Bool {
    ["shared", "common", "core", "base", "general", "global"].contains(name.lowercased())
  }

  /// Whether an app needs files of such a folder from its first second.
  static func isEssential(_ name: String) -> Bool {
    [
      "ui", "gui", "hud", "font", "fonts", "ttf", "shader", "shaders", "script", "scripts", "scripting",
      "config",
      "conf", "settings", "startup", "icons", "skins", "editor", "po", "i18n", "txts", "schema", "lua",
    ].contains(name.lowercased())
  }

  /// Whether a name is a language's: `fr`, `pt_BR`, `zh-Hans`, `sr@latin`.
  static func isLanguage(_ name: String) -> Bool {
    let parts = name.split(maxSplits: 2, omittingEmptySubsequences: false) { "_@-".contains($0) }
    guard let code = parts.first, languages.contains(String(code)) else { return false }
    // A region, or a script: "as_book" is a word.
    return parts.dropFirst().allSatisfy { part in
      let isRegion = part.utf8.count == 2 && part.utf8.allSatisfy(isLetter)
      let isNumber = part.utf8.count == 3 && part.allSatisfy(\.isNumber)
      let isScript = part.utf8.count == 4 && part.first?.isUppercase == true && part.utf8.allSatisfy(isLetter)
      return isRegion || isNumber || isScript || name.contains("@")
    }
  }

  /// Whether names are those of several languages, one of which most apps are written in or sold in: words such as "is"
  /// and "no" are codes too.
  static func areLanguages(_ names: [String]) -> Bool {
    let codes = Set(names.map { String($0.prefix { !"_@-".contains($0) }) })
    return names.count > 1 && !codes.isDisjoint(with: ["en", "de", "fr", "es", "ja"])
  }

  /// Whether a language is that of a region, or in a script of several: `pt_BR`, `zh-Hans`, `sr@latin`.
  static func hasRegion(_ language: String) -> Bool {
    guard let mark = language.firstIndex(where: { "_@-".contains($0) }) else { return false }
    return language[mark] == "@"
      || language[mark...].dropFirst().first.map { $0.isUppercase || $0.isNumber } ?? false
  }

  private static func isLetter(_ byte: UInt8) -> Bool { (0x41...0x5a).contains(byte & 0xdf) }

  /// The codes of ISO 639-1, and those of ISO 639-2 that translations of free games have.
  private static let languages = Set(
    ("aa ab ae af ak am an ar as av ay az ba be bg bh bi bm bn bo br bs ca ce ch co cr cs cu cv cy da de dv dz ee el en eo "
      + "es et eu fa ff fi fj fo fr fy ga gd gl gn gu gv ha he hi ho hr ht hu hy hz ia id ie ig ii ik io is it iu ja jv "
      + "ka kg ki kj kk kl km kn ko kr ks ku kv kw ky la lb lg li ln lo lt lu lv mg mh mi mk ml mn mr ms mt my na nb nd ne "
      + "ng nl nn no nr nv ny oc oj om or os pa pi pl ps pt qu rm rn ro ru rw sa sc sd se sg si sk sl sm sn so sq sr ss st "
      + "su sv sw ta te tg th ti tk tl tn to tr ts tt tw ty ug uk ur uz ve vi vo wa wo xh yi yo za zh zu "
      + "ang ast bem bho csb fil frp fur gsw hsb kab mai nds sco szl vec")
      .split(separator: " ").map(String.init))
}
