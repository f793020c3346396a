@testable import Formats
import packtool
import Testing

@Suite struct MistakeTests {
  @Test(arguments: [
    (["--outptu"], #""--outptu" "--output""#),
    (["--out"], #""--out" "--output""#),
    (["--o"], #""--o" "--output""#),
    (["--Quiet"], #""--Quiet" "--quiet""#),
    (["-output"], #""-output" "--output""#),
    (["-output=x"], #""-output" "--output""#),
    (["-quiet"], #""-quiet" "--quiet""#),
    (["-out", "packs"], #""-out" "--output""#),
    (["-ou=packs"], #""-ou" "--output""#),
    (["-jo", "3"], #""-jo" "--jobs""#),
    (["-quite"], #""-quite" "--quiet""#),
    (["-V"], #""-V" "-v""#),
    (["-x"], #""-x""#),
    (["-qx"], #""-x""#),
    (["-qVx"], #""-V" "-v""#),
    (["-Odist"], #""-O" "-o""#),
    (["--xyzzy=-3"], #""--xyzzy""#),
    (["--=3"], #""--""#),
    (["-C", "x"], #""-C""#),
    (["--c"], #""--c""#),
    (["--hepl"], #""--hepl" "--help""#),
  ])
  func `an unknown flag names the nearest`(_ words: [String], _ facts: String) {
    #expect(build.parse(["-oX"] + words, into: SampleBuildOptions()).mistakes.map(\.facts) == [facts])
  }

  @Test(arguments: [
    (["-q", "--quiet"], #""--quiet""#),
    (["--jobs", "2", "-j2"], #""--jobs""#),
    (["--color=auto", "--colour", "never"], #""--color""#),
    (
      ["--limits=ios18"],
      #""--limits" "app-store" "app-store-ios18" "wwdc15" "ios18" "app-store-ios18""#
    ),
    (["--jobs"], #""--jobs""#),
    (["-qj"], #""-j""#),
    (["--exclude", "--quiet"], #""--exclude""#),
    (["--exclude", "--", "m"], #""--exclude""#),
    (["--exclude="], #""--exclude" """#),
    (["--exclude", ""], #""--exclude" """#),
    (["-j="], #""-j" """#),
    (["--quiet=yes"], #""--quiet" "yes""#),
    (["--quiet="], #""--quiet" """#),
    (["-vq=no"], #""-q" "no""#),
    (["--jobs", "many"], #""--jobs" 1 1024 "many""#),
    (["-j0"], #""-j" 1 1024 "0""#),
    (["--jobs=1025"], #""--jobs" 1 1024 "1025""#),
    (["--jobs", "-3"], #""--jobs" 1 1024 "-3""#),
    (["--jobs=-3"], #""--jobs" 1 1024 "-3""#),
    (["--jobs=1.5"], #""--jobs" 1 1024 "1.5""#),
    (
      ["--jobs", "99999999999999999999"],
      #""--jobs" 1 1024 "99999999999999999999""#
    ),
    (
      ["--color=allways"],
      #""--color" "auto" "always" "never" "allways" "always""#
    ),
    (
      ["--colour", "nev"],
      #""--colour" "auto" "always" "never" "nev" "never""#
    ),
    (["--color", "red"], #""--color" "auto" "always" "never" "red""#),
    (
      ["--limits=app_store"],
      #""--limits" "app-store" "app-store-ios18" "wwdc15" "app_store" "app-store""#
    ),
    (
      ["--timestamp-of-every-entry-in-packs", "1"],
      #""--timestamp-of-every-entry-in-packs" "10s" "1""#
    ),
    (["a", "b"], #""b""#),
    (["a", "b", "--", "-c"], #""b" 1"#),
    ([""], #""MANIFEST""#),
  ])
  func `a wrong value says what is needed`(_ words: [String], _ facts: String) {
    #expect(build.parse(["-oX"] + words, into: SampleBuildOptions()).mistakes.map(\.facts) == [facts])
  }

  @Test func `a missing flag or argument says what to do`() {
    let noFlag = build.parse(["m"], into: SampleBuildOptions()).mistakes.map(\.facts)
    #expect(noFlag == [#""--output""#])
    let noArgument = verify.parse([], into: SampleSharedOptions()).mistakes.map(\.facts)
    #expect(noArgument == [#""DIR""#])
  }

  @Test func `all mistakes are reported in their order`() {
    let words = ["--jbos", "3", "-j", "none", "--color=x", "one", "-qz", "--quiet=1", "two", "-o"]
    #expect(
      build.parse(words, into: SampleBuildOptions()).mistakes.map(\.facts) == [
        #""--jbos" "--jobs""#,
        #""-j" 1 1024 "none""#,
        #""--color" "auto" "always" "never" "x""#,
        #""-z""#,
        #""--quiet" "1""#,
        #""-o""#,
      ])
  }

  /// The word after an unknown flag can be its value, so it is not reported as an argument.
  @Test func `an unknown flag is the only mistake`() {
    let parsed = build.parse(["m", "--nonsense", "3"], into: SampleBuildOptions())
    #expect(parsed.mistakes.map(\.facts) == [#""--nonsense""#])
  }

  @Test func `an unknown flag hides what is missing`() {
    for words in [["m", "--jbos", "3"], ["m", "--nonsense"], ["m", "-z"]] {
      let parsed = build.parse(words, into: SampleBuildOptions())
      #expect(parsed.mistakes.count == 1 && parsed.hasUnknownFlag, "\(words)")
    }
    #expect(!build.parse(["m"], into: SampleBuildOptions()).hasUnknownFlag)
  }

  @Test func `a slip in a flag brings no second mistake`() {
    let parsed = build.parse(["m", "--outptu", "dist"], into: SampleBuildOptions())
    #expect(parsed.mistakes.count == 1)
    #expect(parsed.positionals == ["m"])
    let attached = build.parse(["--outptu=dist", "m"], into: SampleBuildOptions())
    #expect(attached.mistakes.count == 1)
    #expect(attached.positionals == ["m"])
    let short = build.parse(["-Odist", "m", "-O", "dist"], into: SampleBuildOptions())
    #expect(short.mistakes.count == 2)
    #expect(short.positionals == ["m"])
  }

  @Test func `arguments are counted one after the other`() {
    let copy = CommandSyntax<SampleSharedOptions>(
      name: "copy", summary: "",
      arguments: [Argument("FROM", summary: "here"), Argument("TO", summary: "there", count: 2...3)])
    let mistakes = { (words: [String]) in
      copy.parse(words, into: SampleSharedOptions()).mistakes.map(\.facts)
    }
    #expect(mistakes([]) == [#""FROM""#, #""TO""#])
    #expect(mistakes(["a", "b"]) == [#""TO""#])
    #expect(mistakes(["a", "b", "c"]) == [])
    #expect(mistakes(["a", "b", "c", "d"]) == [])
    #expect(mistakes(["a", "b", "c", ""]) == [#""TO""#])
    #expect(mistakes(["a", "b", "c", "d", "e", "f", "g"]) == [#""e" 2"#])
    let all = CommandSyntax<SampleSharedOptions>(
      name: "all", summary: "", arguments: [Argument("FILE", summary: "", count: 0...Int.max)])
    #expect(all.parse(Array(repeating: "x", count: 5000), into: SampleSharedOptions()).mistakes == [])
  }

  @Test func `a required toggle is missed by its long name`() {
    let syntax = CommandSyntax<SampleSharedOptions>(
      name: "x", summary: "", flags: sharedFlags.prefix(1).map { $0.required(hint: "say it") })
    let mistakes = syntax.parse([], into: SampleSharedOptions()).mistakes
    #expect(mistakes.map(\.facts) == [#""--quiet""#])
    #expect(syntax.parse(["-q"], into: SampleSharedOptions()).mistakes == [])
    #expect(syntax.description.usage(tool: "tool") == "usage: tool x -q [flags]")
  }
}
