import Foundation
import Support
import Testing

/// Tests that the output in the console sessions is real.
///
/// The sessions of the README and of the pages for users are run again.
@Suite struct ConsoleTests {
  /// A command of a session, and the output that the page shows.
  private struct Command {
    var words: String
    var output = ""
  }

  /// Runs the README's tour, and the commands of the pages that use the same folder.
  @Test func `tour`() throws {
    let folder = try TemporaryFolder()
    try run(["README.md", page("Building"), page("Verifying")], in: folder.path)
  }

  @Test func `first packs`() throws {
    let folder = try TemporaryFolder()
    try run([page("FirstPacks")], in: folder.path)
  }

  @Test func `splitting`() throws {
    let folder = try TemporaryFolder()
    try copyExamples(to: folder)
    try run([page("Splitting")], in: folder.path("Examples/iTravel"))
  }

  @Test(arguments: ["Submitting", "SeveralMachines"]) func `great game`(name: String) throws {
    let folder = try TemporaryFolder()
    try copyExamples(to: folder)
    try run([page(name)], in: folder.path("Examples/GreatGame"))
  }

  @Test(arguments: ["Updates", "Explaining", "Pointers", "Versions"]) func `update`(name: String) throws {
    let folder = try TemporaryFolder()
    try copyExamples(to: folder)
    try run([page(name)], in: folder.path("Examples/LevelUpdate"))
  }

  @Test func `devices`() throws {
    let folder = try TemporaryFolder()
    try copyExamples(to: folder)
    try run([page("Devices")], in: folder.path("Examples/Devices"))
  }

  @Test func `starting`() throws {
    let folder = try TemporaryFolder()
    try copyExamples(to: folder)
    try run([page("Starting")], in: folder.path("Examples/GreatGame"))
  }

  @Test func `simulating`() throws {
    let folder = try TemporaryFolder()
    try copyExamples(to: folder)
    try run([page("Simulating")], in: folder.path("Examples/GreatGame"))
  }

  @Test func `background assets`() throws {
    let folder = try TemporaryFolder()
    try copyExamples(to: folder)
    try run([page("BackgroundAssets"), page("BackgroundAssetsHosting")], in: folder.path)
  }

  @Test func `Xcode`() throws {
    let folder = try TemporaryFolder()
    try copyExamples(to: folder)
    try run([page("Xcode")], in: folder.path)
  }

  private func page(_ name: String) -> String { "Sources/packtool/packtool.docc/\(name).md" }

  private func copyExamples(to folder: TemporaryFolder) throws {
    try FileManager.default.copyItem(
      atPath: "\(packageFolder)/Examples", toPath: folder.path("Examples"))
  }

  /// Runs the sessions of the given pages one after another in one folder.
  private func run(_ pages: [String], in folder: String) throws {
    let programs = try TemporaryFolder()
    try FileManager.default.createSymbolicLink(
      atPath: programs.path("packtool"), withDestinationPath: try packtoolProgram())
    let search = "\(programs.path):\(ProcessInfo.processInfo.environment["PATH"] ?? "")"
    for page in pages {
      let commands = try commands(of: page)
      #expect(!commands.isEmpty, "\(page)")
      for command in commands {
        let result = try Support.run(
          "bash", ["-c", "{ \(command.words)\n} 2>&1"], in: folder,
          environment: ["PATH": search, "LC_ALL": "C"])
        if lasting(result.output) == lasting(command.output) { continue }
        if ProcessInfo.processInfo.environment["UPDATE_SNAPSHOTS"] == "1" {
          try update(page, command, result.output)
        } else {
          #expect(lasting(result.output) == lasting(command.output), "\(page): \(command.words)")
        }
      }
    }
  }

  /// Writes the current output of a command into its page.
  private func update(_ page: String, _ command: Command, _ output: String) throws {
    let path = "\(packageFolder)/\(page)"
    let text = try String(contentsOfFile: path, encoding: .utf8)
    let old = try #require(text.range(of: "$ \(command.words)\n\(command.output)"))
    let new = text.replacingCharacters(in: old, with: "$ \(command.words)\n\(output)")
    try new.write(toFile: path, atomically: true, encoding: .utf8)
  }

  /// Returns the commands in the console blocks of a page: the text after "$ ".
  ///
  /// After "<<", a command includes all lines of the document.
  private func commands(of page: String) throws -> [Command] {
    let text = try String(contentsOfFile: "\(packageFolder)/\(page)", encoding: .utf8)
    var commands: [Command] = []
    for block in text.matches(of: /```console\n(.*?)```/.dotMatchesNewlines()) {
      var end: String?
      for line in block.output.1.split(separator: "\n", omittingEmptySubsequences: false).dropLast() {
        if end != nil {
          commands[commands.count - 1].words += "\n\(line)"
          if line == end ?? "" { end = nil }
        } else if line.hasPrefix("$ ") {
          commands.append(Command(words: String(line.dropFirst(2))))
          end = line.firstMatch(of: /<<'(\w+)'/).map { String($0.output.1) }
        } else {
          commands[commands.count - 1].output += "\(line)\n"
        }
      }
    }
    return commands
  }

  /// Returns a text without the parts that differ in each run: digests of random files, checksums and times.
  private func lasting(_ text: String) -> String {
    text.replacing(/[0-9a-f]{16,}/, with: "<digest>").replacing(/0x[0-9a-f]+/, with: "<checksum>")
      .replacing(/in [0-9.]+ (ms|s)\n/, with: "in <time>\n")
  }
}
