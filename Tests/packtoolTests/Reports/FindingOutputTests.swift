import Foundation
import Support
import Testing
@testable import packtool

/// Tests where findings are written: several formats in one run, files, and failures in documents.
@Suite struct FindingOutputTests {
  /// Reads outputs with the parsers of other programs: JSON and SARIF as JSON, JUnit as XML.
  ///
  /// Prints the messages of all findings.
  private static let messages = """
    import json, sys, xml.etree.ElementTree
    for name in sys.argv[1:]:
        text = open(name, encoding="utf-8").read()
        if name == "junit":
            root = xml.etree.ElementTree.fromstring(text)
            found = [part.get("message") for part in root.iter("failure")]
        elif name == "codequality":
            found = [each["description"].split("\\n")[0] for each in json.loads(text)]
        elif name == "sarif":
            part, = json.loads(text)["runs"]
            found = [result["message"]["text"] for result in part["results"]]
        else:
            found = [finding["message"] for finding in json.loads(text)["diagnostics"]]
        print(name, *found, sep="|")
    """

  private func messages(_ form: String, _ text: String) throws -> String {
    let result = try #require(Python.plain).run(Self.messages, over: [(form, text)])
    #expect(result.errors == "", "\(text)")
    return result.output
  }

  @Test(.enabled(if: Python.plain != nil)) func `one run has several forms`() throws {
    let rich = try RichRun()
    let path = rich.folder.path("out")
    let flags = ["json", "sarif", "junit", "codequality", "github"].flatMap {
      ["--diagnostics", "\($0)=\(path)/\($0)"]
    }
    let all = runTool(words: ["validate", rich.folder.path, "--diagnostics", "text"] + flags)
    #expect(all.status == .inputHasErrors)
    #expect(all.errors == runTool("validate", rich.folder.path).errors)
    for form in ["json", "sarif", "junit", "codequality", "github"] {
      let alone = runTool("validate", rich.folder.path, "--diagnostics", form).errors
      let file = String(decoding: try rich.folder.read("out/\(form)"), as: UTF8.self)
      // Only the last line of a log is not part of the findings.
      #expect(file == alone.replacing(/packtool: \d.*\n/, with: ""), "\(form)")
      if form != "github" { #expect(try messages(form, file) == messages(form, alone)) }
    }
  }

  @Test(arguments: ["text", "json", "sarif", "junit", "codequality"]) func `the plain form goes to a file`(
    form: String
  ) throws {
    let rich = try RichRun()
    let path = rich.folder.path("findings")
    let expected = runTool("validate", rich.folder.path, "--diagnostics", form).errors
    let run = runTool("validate", rich.folder.path, "--diagnostics", "\(form)=\(path)")
    let file = String(decoding: try rich.folder.read("findings"), as: UTF8.self)
    #expect(file == expected.replacing(/packtool: \d.*\n/, with: ""))
    #expect(run.errors.wholeMatch(of: /packtool: \d+ errors?, .*\n/) != nil, "\(run.errors)")
  }

  @Test func `without a form text goes to the file beside others`() throws {
    let rich = try RichRun()
    let run = runTool(
      "validate", rich.folder.path, "--diagnostics", "json=\(rich.folder.path("j"))", "--diagnostics",
      "text=\(rich.folder.path("t"))")
    #expect(run.status == .inputHasErrors)
    #expect(try String(decoding: rich.folder.read("t"), as: UTF8.self).contains("[unknown-tag]\n"))
    #expect(try String(decoding: rich.folder.read("j"), as: UTF8.self).hasPrefix("{\n  \"diagnostics\": ["))
  }

  @Test(arguments: [
    (
      ["--diagnostics", "json", "--diagnostics", "sarif"],
      #""--diagnostics""#
    ),
    (
      ["--diagnostics", "json=x", "--diagnostics", "sarif=./x"],
      #""--diagnostics" "./x""#
    ),
    (
      ["--diagnostics", "json=x", "--diagnostics", "text=x"],
      #""--diagnostics" "x""#
    ),
    (
      ["--diagnostics", "json=-", "--format", "json"],
      #""--diagnostics" "--format""#
    ),
    (["--diagnostics", "json="], #""--diagnostics" "json=""#),
    (
      ["--diagnostics", "sarfi=x"],
      #""--diagnostics" "text" "json" "github" "sarif" "junit" "codequality" "sarfi" "sarif""#
    ),
  ])
  func `two forms in one place are a mistake`(flags: [String], facts: String) throws {
    let folder = try TemporaryFolder()
    let result = try run(try packtoolProgram(), ["validate"] + flags, in: folder.path)
    #expect(result.status == 2)
    #expect(result.errors.hasFacts(facts), "\(result.errors)")
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == [])
  }

  /// A symlink to a file counts as this file.
  @Test func `a file by two names is one file`() throws {
    let folder = try TemporaryFolder()
    try folder.write("x", "")
    try folder.link("y", to: "x")
    let run = runTool(
      "validate", folder.path, "--diagnostics", "json=\(folder.path("x"))", "--diagnostics",
      "sarif=\(folder.path("y"))")
    #expect(run.status == .usage)
  }

  /// A run that fails, with the expected message.
  struct Failure: Sendable {
    let words: [String]
    let status: Int32
    /// The names and numbers in the message.
    let facts: String

    init(_ words: [String], _ status: Int32, _ facts: String) {
      self.words = words
      self.status = status
      self.facts = facts
    }
  }

  /// After a failure of the machine or a wrong command line, standard error contains only the document.
  @Test(
    .enabled(if: Python.plain != nil), arguments: sample(1, of: ["json", "sarif", "junit"]),
    [
      Failure(
        ["build", "-o", "/proc/no/such"], 3, #""/proc/no" "/proc""#),
      Failure(["build", "-o", "out", "--depfile", "."], 3, #"".""#),
      Failure(
        ["build", "-o", "out", "--result", "/dev/full"], 3,
        #""/dev/full""#
      ),
      Failure(
        ["validate", "--diagnostics", "sarif=/dev/full"], 3,
        #""/dev/full""#
      ),
      Failure(["build"], 2, #""--output""#),
      Failure(["plan", "a", "b"], 2, #""b""#),
      Failure(["build", "-o", "out", "--layout", "hosted"], 2, values(in: ManifestOptions.missingPrefix)),
      Failure(["explain", "nothing"], 2, #""nothing""#),
      Failure(
        ["unpack", "out", "-o", "x"], 2, ""),
    ])
  func `failures are in the document`(form: String, failure: Failure)
    throws
  {
    let folder = try TemporaryFolder()
    try folder.writeManifest([.path("a", "T")], members: #""appBundle": { "size": 1 }"#)
    try folder.write("a", "x")
    let result = try run(try packtoolProgram(), failure.words + ["--diagnostics", form], in: folder.path)
    #expect(result.status == failure.status)
    let found = try messages(form, result.errors)
    #expect(found.hasPrefix("\(form)|") && values(in: found) == failure.facts, "\(found)")
  }

  @Test(.enabled(if: Python.plain != nil)) func `findings before a failure are kept`() throws {
    let folder = try TemporaryFolder()
    try folder.writeManifest([.path("a", "T")], members: #""appBundle": { "size": 1 }"#)
    try folder.write("a", "")
    let result = try run(
      try packtoolProgram(), ["build", "-o", "out", "--depfile", "/dev/full", "--diagnostics", "json"],
      in: folder.path)
    #expect(result.status == 3)
    let found = try messages("json", result.errors)
    #expect(
      found.split(separator: "|").map { values(in: String($0)) } == ["", #""a""#, #""/dev/full""#])
  }

  /// If the disk is full only for the file of findings, the failure is reported on standard error.
  @Test func `a file that cannot be written is a failure`() throws {
    let rich = try RichRun()
    let run = runTool("validate", rich.folder.path, "--diagnostics", "json=/dev/full")
    #expect(run.status == .machineFailed)
    #expect(run.errors.refuses(naming: "/dev/full"))
  }

  /// The document is also complete if there were no findings and no other output.
  @Test(.enabled(if: Python.plain != nil), arguments: sample(1, of: ["json", "sarif", "junit"]))
  func `every command keeps the promise`(form: String) throws {
    let folder = try TemporaryFolder()
    try folder.writeManifest([.path("a", "T")], members: #""appBundle": { "size": 1 }"#)
    try folder.write("a", "x")
    let program = try packtoolProgram()
    let commands = [
      ["build", "-o", "out", "-v", "--timings", "--explain"], ["validate"], ["plan"], ["verify", "out"],
      ["unpack", "out", "--all", "-o", "un"], ["diff", "out", "out"], ["explain", "T"], ["inspect", "out"],
      ["simulate", "--players", "linear", "--runs", "1"],
      ["import", "\(packageFolder)/Examples/Xcode/Lanterns.xcodeproj"],
    ]
    for words in commands {
      let result = try run(program, words + ["--diagnostics", form], in: folder.path)
      #expect(result.status == 0, "\(words)")
      #expect(try messages(form, result.errors).hasPrefix(form), "\(words)")
    }
  }

  @Test(.enabled(if: Python.plain != nil)) func `a signal is in the document`() throws {
    let folder = try TemporaryFolder()
    #expect(mkfifo(folder.path("fifo"), 0o644) == 0)
    // The import waits until another program reads from the fifo, but this never happens.
    let script = """
      timeout -k 20 --preserve-status -s TERM 2 "$0" import "$1" -o fifo --diagnostics json 2> errors; echo $?
      """
    let project = "\(packageFolder)/Examples/Xcode/Lanterns.xcodeproj"
    let result = try run("bash", ["-c", script, try packtoolProgram(), project], in: folder.path)
    #expect(result.output == "143\n")
    let errors = String(decoding: try folder.read("errors"), as: UTF8.self)
    let found = try messages("json", errors)
    #expect(
      found.split(separator: "|").last.map { $0.names("SIGTERM") } == true)
  }
}
