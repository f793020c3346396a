import Support
import packtool

/// Options, and a syntax with every kind of flag.
///
/// The syntax is similar to that of packtool.
struct SampleSharedOptions: Equatable {
  var isQuiet = false
  var isVerbose = false
  var color = ColorMode.auto
  var jobs: Int?
}

enum ColorMode: String, CaseIterable { case auto, always, never }

struct SampleBuildOptions: Equatable {
  var shared = SampleSharedOptions()
  var output: String?
  var excluded: [String] = []
  var limits: String?
  var date: Int = 0
}

func seconds(_ text: String) throws(FlagMistake) -> Int {
  guard text.hasSuffix("s"), let number = Int(text.dropLast()) else {
    throw FlagMistake("needs seconds such as \"10s\", not \"\(text)\"")
  }
  return number
}

let sharedFlags: [Flag<SampleSharedOptions>] = [
  .toggle("--quiet", "-q", summary: "say nothing but errors", sets: \.isQuiet),
  .toggle("--verbose", "-v", summary: "say more", sets: \.isVerbose),
  .choice("--color", "--colour", valueName: "WHEN", summary: "use colour", into: \.color),
  .number("--jobs", "-j", summary: "how many packs to write at once", range: 1...1024, into: \.jobs),
]

let build = CommandSyntax<SampleBuildOptions>(
  name: "build",
  summary: "check the manifest, then write packs and index",
  arguments: [Argument("MANIFEST", summary: "a file, or a folder that holds Manifest.json", count: 0...1)],
  flags: [
    .value("--output", "-o", valueName: "DIR", summary: "where to write", into: \.output)
      .required(hint: "say where to write, for example -o build/packs"),
    .list("--exclude", valueName: "GLOB", summary: "files never packed", into: \.excluded),
    .value(
      "--limits", valueName: "PROFILE", kind: .choice(["app-store", "app-store-ios18", "wwdc15"]),
      summary: "the store's limits", into: \.limits),
    .parsed(
      "--timestamp-of-every-entry-in-packs", valueName: "SECONDS", summary: "time of the entries",
      parse: seconds, into: \.date),
  ] + sharedFlags.map { $0.lifted(into: \.shared).assigned(toGroup: "shared flags") })

let verify = CommandSyntax<SampleSharedOptions>(
  name: "verify", summary: "hold a built folder against its index",
  arguments: [Argument("DIR", summary: "a folder that build wrote")], flags: sharedFlags)

/// Parses the words.
///
/// `-o out` is put before them, because this flag is required.
func parse(_ words: String...) -> ArgumentParser<SampleBuildOptions> {
  build.parse(["-o", "out"] + words, into: SampleBuildOptions())
}

func messages(_ words: String...) -> [String] {
  build.parse(["-o", "out"] + words, into: SampleBuildOptions()).mistakes.map(\.message)
}

extension FlagMistake {
  /// The names and numbers in the message of the mistake.
  var facts: String { values(in: message) }
}
