@testable import Formats
import packtool
import Testing

@Suite struct MistakeTests {
  @Test(arguments: [
    (["--outptu"], "unknown flag \"--outptu\"; did you mean \"--output\"?"),
    (["--out"], "unknown flag \"--out\"; did you mean \"--output\"?"),
    (["--o"], "unknown flag \"--o\"; did you mean \"--output\"?"),
    (["--Quiet"], "unknown flag \"--Quiet\"; did you mean \"--quiet\"?"),
    (["-output"], "unknown flag \"-output\"; did you mean \"--output\"?"),
    (["-output=x"], "unknown flag \"-output\"; did you mean \"--output\"?"),
    (["-quiet"], "unknown flag \"-quiet\"; did you mean \"--quiet\"?"),
    (["-out", "packs"], "unknown flag \"-out\"; did you mean \"--output\"?"),
    (["-ou=packs"], "unknown flag \"-ou\"; did you mean \"--output\"?"),
    (["-jo", "3"], "unknown flag \"-jo\"; did you mean \"--jobs\"?"),
    (["-quite"], "unknown flag \"-quite\"; did you mean \"--quiet\"?"),
    (["-V"], "unknown flag \"-V\"; did you mean \"-v\"?"),
    (["-x"], "unknown flag \"-x\""),
    (["-qx"], "unknown flag \"-x\""),
    (["-qVx"], "unknown flag \"-V\"; did you mean \"-v\"?"),
    (["-Odist"], "unknown flag \"-O\"; did you mean \"-o\"?"),
    (["--xyzzy=-3"], "unknown flag \"--xyzzy\""),
    (["--=3"], "unknown flag \"--\""),
    (["-C", "x"], "flag \"-C\" goes in front of the command: -C DIR build"),
    (["--c"], "unknown flag \"--c\""),
    (["--hepl"], "unknown flag \"--hepl\"; did you mean \"--help\"?"),
  ])
  func `an unknown flag names the nearest`(_ words: [String], _ message: String) {
    #expect(build.parse(["-oX"] + words, into: SampleBuildOptions()).mistakes.map(\.message) == [message])
  }

  @Test(arguments: [
    (["-q", "--quiet"], "flag \"--quiet\" is given twice; keep one of them"),
    (["--jobs", "2", "-j2"], "flag \"--jobs\" is given twice; keep one of them"),
    (["--color=auto", "--colour", "never"], "flag \"--color\" is given twice; keep one of them"),
    (
      ["--limits=ios18"],
      "flag \"--limits\" needs \"app-store\", \"app-store-ios18\" or \"wwdc15\", not \"ios18\"; did you mean \"app-store-ios18\"?"
    ),
    (["--jobs"], "flag \"--jobs\" needs a value: --jobs N"),
    (["-qj"], "flag \"-j\" needs a value: -j N"),
    (["--exclude", "--quiet"], "flag \"--exclude\" needs a value: --exclude GLOB"),
    (["--exclude", "--", "m"], "flag \"--exclude\" needs a value: --exclude GLOB"),
    (["--exclude="], "flag \"--exclude\" needs a value, not \"\""),
    (["--exclude", ""], "flag \"--exclude\" needs a value, not \"\""),
    (["-j="], "flag \"-j\" needs a value, not \"\""),
    (["--quiet=yes"], "flag \"--quiet\" takes no value, but has \"yes\""),
    (["--quiet="], "flag \"--quiet\" takes no value, but has \"\""),
    (["-vq=no"], "flag \"-q\" takes no value, but has \"no\""),
    (["--jobs", "many"], "flag \"--jobs\" needs a number from 1 to 1024, not \"many\""),
    (["-j0"], "flag \"-j\" needs a number from 1 to 1024, not \"0\""),
    (["--jobs=1025"], "flag \"--jobs\" needs a number from 1 to 1024, not \"1025\""),
    (["--jobs", "-3"], "flag \"--jobs\" needs a number from 1 to 1024, not \"-3\""),
    (["--jobs=-3"], "flag \"--jobs\" needs a number from 1 to 1024, not \"-3\""),
    (["--jobs=1.5"], "flag \"--jobs\" needs a number from 1 to 1024, not \"1.5\""),
    (
      ["--jobs", "99999999999999999999"],
      "flag \"--jobs\" needs a number from 1 to 1024, not \"99999999999999999999\""
    ),
    (
      ["--color=allways"],
      "flag \"--color\" needs \"auto\", \"always\" or \"never\", not \"allways\"; did you mean \"always\"?"
    ),
    (
      ["--colour", "nev"],
      "flag \"--colour\" needs \"auto\", \"always\" or \"never\", not \"nev\"; did you mean \"never\"?"
    ),
    (["--color", "red"], "flag \"--color\" needs \"auto\", \"always\" or \"never\", not \"red\""),
    (
      ["--limits=app_store"],
      "flag \"--limits\" needs \"app-store\", \"app-store-ios18\" or \"wwdc15\", not \"app_store\"; did you mean"
        + " \"app-store\"?"
    ),
    (
      ["--timestamp-of-every-entry-in-packs", "1"],
      "flag \"--timestamp-of-every-entry-in-packs\" needs seconds such as \"10s\", not \"1\""
    ),
    (["a", "b"], "unexpected argument \"b\""),
    (["a", "b", "--", "-c"], "unexpected argument \"b\" and 1 more"),
    ([""], "argument \"MANIFEST\" is empty: a file, or a folder that holds Manifest.json"),
  ])
  func `a wrong value says what is needed`(_ words: [String], _ message: String) {
    #expect(build.parse(["-oX"] + words, into: SampleBuildOptions()).mistakes.map(\.message) == [message])
  }

  @Test func `a missing flag or argument says what to do`() {
    let noFlag = build.parse(["m"], into: SampleBuildOptions()).mistakes.map(\.message)
    #expect(noFlag == ["flag \"--output\" is missing: say where to write, for example -o build/packs"])
    let noArgument = verify.parse([], into: SampleSharedOptions()).mistakes.map(\.message)
    #expect(noArgument == ["argument \"DIR\" is missing: a folder that build wrote"])
  }

  @Test func `all mistakes are reported in their order`() {
    let words = ["--jbos", "3", "-j", "none", "--color=x", "one", "-qz", "--quiet=1", "two", "-o"]
    #expect(
      build.parse(words, into: SampleBuildOptions()).mistakes.map(\.message) == [
        "unknown flag \"--jbos\"; did you mean \"--jobs\"?",
        "flag \"-j\" needs a number from 1 to 1024, not \"none\"",
        "flag \"--color\" needs \"auto\", \"always\" or \"never\", not \"x\"",
        "unknown flag \"-z\"",
        "flag \"--quiet\" takes no value, but has \"1\"",
        "flag \"-o\" needs a value: -o DIR",
        "unexpected argument \"two\"",
      ])
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
      copy.parse(words, into: SampleSharedOptions()).mistakes.map(\.message)
    }
    #expect(mistakes([]) == ["argument \"FROM\" is missing: here", "argument \"TO\" is missing: there"])
    #expect(mistakes(["a", "b"]) == ["argument \"TO\" is missing: there"])
    #expect(mistakes(["a", "b", "c"]) == [])
    #expect(mistakes(["a", "b", "c", "d"]) == [])
    #expect(mistakes(["a", "b", "c", ""]) == ["argument \"TO\" is empty: there"])
    #expect(mistakes(["a", "b", "c", "d", "e", "f", "g"]) == ["unexpected argument \"e\" and 2 more"])
    let all = CommandSyntax<SampleSharedOptions>(
      name: "all", summary: "", arguments: [Argument("FILE", summary: "", count: 0...Int.max)])
    #expect(all.parse(Array(repeating: "x", count: 5000), into: SampleSharedOptions()).mistakes == [])
  }

  @Test func `a required toggle is missed by its long name`() {
    let syntax = CommandSyntax<SampleSharedOptions>(
      name: "x", summary: "", flags: sharedFlags.prefix(1).map { $0.required(hint: "say it") })
    let mistakes = syntax.parse([], into: SampleSharedOptions()).mistakes
    #expect(mistakes == [FlagMistake("flag \"--quiet\" is missing: say it")])
    #expect(syntax.parse(["-q"], into: SampleSharedOptions()).mistakes == [])
    #expect(syntax.description.usage(tool: "tool") == "usage: tool x -q [flags]")
  }
}
