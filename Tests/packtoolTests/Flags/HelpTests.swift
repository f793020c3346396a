import Support
import packtool
import Testing

@Suite struct HelpTests {
  @Test func `help at 80 columns`() {
    var command = build.description
    command.discussion = [
      "Nothing is written when there are errors. What the new index no longer names is removed after the index has "
        + "been replaced."
    ]
    command.examples = [HelpRow("build Examples/GreatGame -o build", text: "write its packs")]
    #expect(
      command.help(tool: "packtool", width: 80) == """
        usage: packtool build [MANIFEST] -o DIR [flags]

        check the manifest, then write packs and index

        Nothing is written when there are errors. What the new index no longer names is
        removed after the index has been replaced.

        arguments:
          MANIFEST                    a file, or a folder that holds Manifest.json

        flags:
          -o, --output DIR            where to write
              --exclude GLOB          files never packed
              --limits PROFILE        the store's limits: app-store, app-store-ios18,
                                      wwdc15
              --timestamp-of-every-entry-in-packs SECONDS
                                      time of the entries
          -h, --help                  show this help

        shared flags:
          -q, --quiet                 say nothing but errors
          -v, --verbose               say more
              --color, --colour WHEN  use colour: auto, always, never
          -j, --jobs N                how many packs to write at once

        examples:
          packtool build Examples/GreatGame -o build
                                      write its packs

        """)
  }

  @Test func `no line is wider than asked`() {
    for width in [60, 80, 100, 200] {
      let lines = build.description.help(tool: "packtool", width: width).split(separator: "\n")
      #expect(lines.areAll { $0.count <= width }, "at \(width)")
      #expect(lines.areAll { $0.last != " " })
    }
  }

  @Test(arguments: [Int.min, -1, 0, 1, 39, Int.max])
  func `an odd width still gives all words`(_ width: Int) {
    let words = { (text: String) in text.split { " \n".contains($0) } }
    #expect(
      words(build.description.help(tool: "t", width: width))
        == words(build.description.help(tool: "t", width: 80)))
  }

  @Test func `usage shows how often an argument may stand`() {
    let usages = [1...1, 0...1, 1...9, 0...9, 2...2].map { Argument("A", summary: "", count: $0).usage }
    #expect(usages == ["A", "[A]", "A...", "[A]...", "A..."])
    #expect(CommandSyntax<Void>(name: "", summary: "").description.usage(tool: "t") == "usage: t [flags]")
  }

  @Test func `a command without arguments has only its flags`() {
    let schema = CommandSyntax<Void>(name: "schema", summary: "print the schema")
    #expect(
      schema.description.help(tool: "packtool", width: 80) == """
        usage: packtool schema [flags]

        print the schema

        flags:
          -h, --help  show this help

        """)
  }

  @Test func `sections share one column`() {
    let sections = [
      HelpSection(
        heading: "commands",
        rows: [HelpRow("build", text: "write packs"), HelpRow("a", text: "one two three four five sixth")]),
      HelpSection(heading: "none", rows: []),
      HelpSection(
        heading: "more",
        rows: [
          HelpRow("validate", text: ""), HelpRow("a-label-that-is-too-long-for-the-column", text: "text"),
        ]),
    ]
    #expect(
      helpText(of: sections, width: 40) == """
        commands:
          build     write packs
          a         one two three four five
                    sixth

        more:
          validate
          a-label-that-is-too-long-for-the-column
                    text

        """)
  }
}
