/// A flag that other tools have, and its replacement in packtool.
struct OtherFlagName: Sendable {
  /// An alternative to the unknown flag.
  enum Replacement: Sendable {
    /// Use this flag, if the command has it.
    case flag(String)
    /// Follow this advice, which ends a message.
    case advice(String)
  }

  /// The word after the unknown flag.
  enum NextWord: Sendable {
    case value
    case other
  }

  let names: [String]
  /// The probable meaning of the word after the flag.
  let next: NextWord
  /// Whether a command needs this replacement.
  let applies: @Sendable (CommandDescription) -> Bool
  let replacement: Replacement

  /// Makes a list of flags that mean a flag of packtool.
  private static func flag(_ name: String, isCalled names: [String], next: NextWord = .other)
    -> OtherFlagName
  {
    OtherFlagName(
      names: names, next: next, applies: { $0.flags.contains { $0.names.contains(name) } },
      replacement: .flag(name))
  }

  /// Makes a list of flags with advice for some commands.
  private static func advice(
    _ text: String, on names: [String], next: NextWord = .other,
    in applies: @escaping @Sendable (CommandDescription) -> Bool
  ) -> OtherFlagName {
    OtherFlagName(names: names, next: next, applies: applies, replacement: .advice(text))
  }

  /// Returns the replacement for a flag that a command does not have; nil if no other tool has such a flag.
  static func named(_ name: String, in command: CommandDescription) -> OtherFlagName? {
    all.first { $0.names.contains(name) && $0.applies(command) }
  }

  private static let all: [OtherFlagName] = [
    .flag("--jobs", isCalled: ["--threads", "--thread", "--workers", "--parallel", "-t"], next: .value),
    .flag("--no-cache", isCalled: ["--clean", "--rebuild", "--fresh", "--force", "-f", "-B"]),
    .flag("--quiet", isCalled: ["--silent", "-s"]),
    .flag("--verbose", isCalled: ["--debug", "--trace"]),
    .flag("--limits", isCalled: ["--profile", "--store"], next: .value),
    .flag("--severity", isCalled: ["--level", "--rule"], next: .value),
    .flag("--root", isCalled: ["--base", "--base-dir", "--assets"], next: .value),
    .advice(
      "\"packtool plan\" shows the packs of a build, and writes nothing",
      on: ["--dry-run", "-n", "--no-write", "--simulate"], in: { $0.name == "build" }),
    .advice(
      "name the manifest without a flag, as in \"packtool build Manifest.json -o packs\"",
      on: ["--manifest", "--input", "--config", "--file", "-i", "-m", "-f", "-c"], next: .value,
      in: { $0.arguments.contains { $0.valueName.hasPrefix("MANIFEST") } }),
    .advice(
      "\"init\" writes Manifest.json next to the assets, or into the current folder if the assets are below "
        + "it; --dry-run prints it instead", on: ["-o", "--output", "--out"], next: .value,
      in: { $0.name == "init" }),
    .advice(
      "the command prints its result; \"> FILE\" writes it to a file", on: ["-o", "--output", "--out"],
      next: .value, in: { ["plan", "explain", "inspect", "diff", "simulate", "tags"].contains($0.name) }),
    .advice(
      "use \"--format json\"", on: ["--json", "-j"],
      in: { $0.flags.contains { $0.name == "--format" && $0.choices.contains("json") } }),
    .advice(
      "\"--result FILE\" writes the result as JSON", on: ["--format", "--output-format"], next: .value,
      in: { command in
        command.flags.contains { $0.name == "--result" } && !command.flags.contains { $0.name == "--format" }
      }),
    .advice(
      "use \"--diagnostics\" with the name of the format, as in \"--diagnostics sarif\"",
      on: ["--sarif", "--junit", "--github", "--json", "--reporter"],
      in: { $0.flags.contains { $0.name == "--diagnostics" } }),
    .advice(
      "an index contains no URLs, so tell your app where you host the folder; for a layout that needs the URL, "
        + "use --set layout.urlPrefix=URL",
      on: ["--base-url", "--baseURL", "--url", "--host", "--cdn", "--cdn-url", "--public-path", "--prefix"],
      next: .value, in: { command in command.flags.contains { $0.setting?.key == "layout.urlPrefix" } }),
    .advice(
      "use \"--color never\"", on: ["--no-color", "--no-colour", "--no-ansi"],
      in: { $0.flags.contains { $0.name == "--color" } }),
    .advice(
      "\"packtool validate --fix\" fixes mistakes", on: ["--fix"], in: { $0.name != "validate" }),
    .advice(
      "write \"exclude\" in the manifest", on: ["--exclude", "--ignore"], next: .value,
      in: { ["build", "plan", "validate"].contains($0.name) }),
    .advice(
      "the manifest's rules assign tags to files", on: ["--tag", "--tags"], next: .value,
      in: { ["build", "plan", "validate"].contains($0.name) }),
  ]
}
