import Support
import Testing

/// Three releases of a game with 20,000 files, whose names and sizes are like those of real games.
///
/// The releases are in the folders `game0` to `game2`.
enum LargeGame {
  static func write(to folder: TemporaryFolder) throws {
    try folder.write("make.py", script)
    let made = try run("python3", ["make.py"], in: folder.path)
    try #require(made.status == 0, "\(made.errors)")
  }

  /// The game has units with animations, campaigns with maps and pictures, voices in several languages, and
  /// music.
  ///
  /// Each release changes some files and adds a campaign. Unchanged files are hard links to the files of the
  /// previous release.
  private static let script = """
    import json, os, random
    random.seed(7)
    units = [f"{race}/{kind}" for race in "elves orcs dwarves undead drakes humans trolls merfolk".split()
             for kind in "archer scout shaman captain lord rider mage warrior guardian assassin healer beast".split()]
    languages = "en de fr es it pl ru ja zh_CN pt_BR".split()
    def game(release):
        for unit in units:
            for action in ("attack", "defend", "die", "run", "stand", "heal", "leadership"):
                for frame in range(1, 18): yield f"images/units/{unit}-{action}-{frame}.png", 900 + 60 * frame
            for size in ("", "@2x", "@3x"): yield f"images/portraits/{unit}{size}.webp", 24000 * (1 + len(size))
        for campaign in range(1, 14 + release):
            for scenario in range(1, 21):
                base = f"campaigns/{campaign:02}-the_fall_of_house_{campaign}/"
                yield f"{base}maps/{scenario:02}_scenario.map", 6000
                yield f"{base}scenarios/{scenario:02}_scenario.cfg", 18000
                yield f"{base}images/story_{scenario:02}.jpg", 70000
                for line in range(12): yield f"{base}sounds/voice {scenario:02}-{line}.ogg", 9000
        for terrain in "forest hills mountain cave castle village swamp sand snow water wall bridge".split():
            for number in range(300): yield f"images/terrain/{terrain}/{terrain}-tile{number:03}.png", 2500
        for language in languages:
            for text in range(80): yield f"l10n/{language}/chapter{text:02}.mo", 14000
        for track in range(40): yield f"music/{track:02} - Track {track}.ogg", 900000
        for number in range(300): yield f"data/core/macros/utils-{number}.cfg", 1500
    def tags():
        rules = [({"glob": f"images/units/{race}/**"}, ["Core", race]) for race in sorted({u.split("/")[0] for u in units})]
        rules += [({"glob": "images/portraits/**"}, ["Portraits"]), ({"glob": "music/*.ogg"}, ["Music"])]
        rules += [({"glob": "images/terrain/{forest,hills,village,castle,water}/**"}, ["Core", "Start"]),
                  ({"glob": "images/terrain/{mountain,cave,swamp,sand,snow,wall,bridge}/**"}, ["Core"])]
        rules += [({"path": f"l10n/{language}"}, [f"lang-{language}"]) for language in languages]
        rules += [({"glob": f"campaigns/{number:02}-*/**"}, [f"Campaign {number}"]) for number in range(1, 17)]
        return [dict(rule, tags=names) for rule, names in rules]
    for release in range(3):
        for place, (path, middle) in enumerate(game(release)):
            full = f"game{release}/Assets/{path}"
            os.makedirs(os.path.dirname(full), exist_ok=True)
            size = int(middle * random.lognormvariate(0, 0.5)) + 40
            last = f"game{release - 1}/Assets/{path}"
            if release and place % 97 != release and os.path.exists(last):
                os.link(last, full)
                continue
            with open(full, "wb") as file:
                file.write(f"{release} {path}".encode()[:40])
                file.truncate(size)
        rules = [rule for rule in tags() if release or rule["tags"] != ["Campaign 14"]]
        rules = [rule for rule in rules if not rule["tags"][0].startswith("Campaign") or int(rule["tags"][0][9:]) < 14 + release]
        with open(f"game{release}/Manifest.json", "w") as file:
            json.dump({"bundleIdentifier": "com.example.wars", "root": "Assets", "resources": rules, "appBundle": {"size": 150000000},
                       "initialInstallTags": ["Start"], "prefetchTagOrder": ["Campaign 1", "Core"]}, file)
    """
}
