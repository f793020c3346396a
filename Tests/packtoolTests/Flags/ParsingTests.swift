import packtool
import Testing

@Suite struct ParsingTests {
  @Test(arguments: [
    ["--output", "dist"], ["--output=dist"], ["-o", "dist"], ["-odist"], ["-o=dist"],
    ["-qo", "dist"], ["-vqodist"], ["-qo=dist"],
  ])
  func `every form gives the value`(_ words: [String]) {
    let parsed = build.parse(words, into: SampleBuildOptions())
    #expect(parsed.mistakes == [])
    #expect(parsed.options.output == "dist")
    #expect(parsed.positionals == [])
    #expect(parsed.options.shared.isQuiet == words.contains { $0.hasPrefix("-q") || $0.hasPrefix("-v") })
    #expect(parsed.options.shared.isVerbose == words.contains { $0.hasPrefix("-v") })
  }

  @Test func `no flags leave the options alone`() {
    let parsed = verify.parse(["d"], into: SampleSharedOptions(isQuiet: true, jobs: 3))
    #expect(parsed.options == SampleSharedOptions(isQuiet: true, jobs: 3))
    #expect(parsed.positionals == ["d"])
    #expect(!parsed.wantsHelp)
    #expect(parsed.mistakes == [])
  }

  @Test func `toggles stand together and apart`() {
    for words in [["-q", "-v"], ["-qv"], ["--quiet", "--verbose"], ["-vq"]] {
      let shared = build.parse(["-oX"] + words, into: SampleBuildOptions()).options.shared
      #expect(shared == SampleSharedOptions(isQuiet: true, isVerbose: true))
    }
  }

  @Test func `values of lists add up in order`() {
    let parsed = parse("--exclude", "a", "m", "--exclude=b=c", "--exclude", "a")
    #expect(parsed.options.excluded == ["a", "b=c", "a"])
    #expect(parsed.positionals == ["m"])
  }

  @Test func `values and choices arrive once each`() {
    let parsed = parse("-j8", "--colour", "always")
    #expect(parsed.mistakes == [])
    #expect(parsed.options.shared.jobs == 8)
    #expect(parsed.options.shared.color == .always)
  }

  @Test(arguments: [("1", 1), ("1024", 1024), ("+7", 7), ("007", 7)])
  func `numbers reach to both ends of the range`(_ word: String, _ number: Int) {
    #expect(parse("--jobs", word).options.shared.jobs == number)
  }

  @Test func `choices and parsed values arrive`() {
    let parsed = parse("--limits=wwdc15", "--timestamp-of-every-entry-in-packs", "10s")
    #expect(parsed.mistakes == [])
    #expect(parsed.options.limits == "wwdc15")
    #expect(parsed.options.date == 10)
  }

  @Test func `two dashes end the flags`() {
    let parsed = verify.parse(["-q", "--", "--verbose"], into: SampleSharedOptions())
    #expect(parsed.options == SampleSharedOptions(isQuiet: true))
    #expect(parsed.positionals == ["--verbose"])
    #expect(parsed.mistakes == [])
    #expect(verify.parse(["--", "--"], into: SampleSharedOptions()).positionals == ["--"])
    #expect(!verify.parse(["--", "--help", "-h"], into: SampleSharedOptions()).wantsHelp)
  }

  @Test func `a lone dash is a positional or a value`() {
    #expect(parse("-").positionals == ["-"])
    #expect(parse("--exclude", "-").options.excluded == ["-"])
  }

  @Test func `a value with a dash is taken where it is attached`() {
    let parsed = build.parse(["-o-x", "--exclude=--quiet", "--exclude=--"], into: SampleBuildOptions())
    #expect(parsed.mistakes == [])
    #expect(parsed.options == SampleBuildOptions(output: "-x", excluded: ["--quiet", "--"]))
  }

  @Test(arguments: [
    ["--help"], ["-h"], ["-qh"], ["m", "--nonsense", "-h"], ["-o", "-h"], ["--jobs", "--help"],
    ["--output", "x", "a", "b", "c", "--help", "--"],
  ])
  func `help is noticed among mistakes`(_ words: [String]) {
    #expect(build.parse(words, into: SampleBuildOptions()).wantsHelp)
  }

  @Test func `help is not noticed in a value`() {
    #expect(!parse("--exclude=--help", "-o-h").wantsHelp)
    let withValue = parse("--help=yes")
    #expect(!withValue.wantsHelp)
    #expect(withValue.mistakes.map(\.facts) == [#""--help" "yes""#])
  }

  @Test func `an accent behind a flag is part of the value`() {
    let accent = "\u{301}e"
    #expect(build.parse(["-o\(accent)"], into: SampleBuildOptions()).options.output == accent)
    #expect(build.parse(["-o=\(accent)"], into: SampleBuildOptions()).options.output == accent)
    #expect(build.parse(["--output=\(accent)"], into: SampleBuildOptions()).options.output == accent)
    #expect(build.parse(["-\(accent)"], into: SampleBuildOptions()).positionals == [])
  }

  @Test func `the flags are data`() {
    #expect(build.flags.count == 9)
    #expect(build.flags.map(\.description.name).last == "--help")
    #expect(build.flags.filter(\.description.isRequired).map(\.description.names) == [["--output", "-o"]])
    #expect(build.flag(named: "--colour")?.description.choices == ["auto", "always", "never"])
    #expect(build.flag(named: "--colour")?.description.group == "shared flags")
    #expect(build.flag(named: "-q")?.takesValue == false)
    #expect(build.flag(named: "-o")?.valueName == "DIR")
    #expect(build.flag(named: "o") == nil)
  }

  @Test func `a lifted flag stays required`() {
    let inner = Flag<SampleSharedOptions>.toggle("--quiet", summary: "", sets: \.isQuiet).required(
      hint: "why")
    #expect(inner.lifted(into: \SampleBuildOptions.shared).missingHint == "why")
  }
}
