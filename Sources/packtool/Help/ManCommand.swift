import Formats
import Model
import Pipeline
import System

extension Command {
  private struct ManOptions: ReportingOptions {
    var output: String?
    let shared = SharedOptions()
  }

  static let man = Command(
    CommandSyntax<ManOptions>(
      name: "man", summary: "print the manual page of packtool, of a command, or of the manifest's format",
      arguments: [
        Argument(
          "COMMAND|FORMAT",
          summary: "a command, or \(Manual.formats.map(\.name).joined(separator: ", "))",
          kind: .named(.manual), count: 0...1)
      ],
      flags: [
        .value(
          "--output", "-o", valueName: "DIR", kind: .folder,
          summary: "write all pages to the folders man1 and man5 of DIR", into: \.output
        ).using(.pagesOfCommands, .pagesOfFormats)
      ]), defaults: ManOptions.init
  ) { options, arguments, session in
    let manual = Manual(of: session)
    if let folder = options.output {
      if arguments.first != nil {
        return session.refuse("flag \"--output\" writes all pages; leave out the command")
      }
      for page in manual.pages {
        let path = joined(folder, page.reference.path)
        try FileOperations.makeFolder(folderPath(of: path))
        var bytes = ByteBuffer()
        bytes.append(page.text)
        try OutputFiles.write(bytes, to: path, as: .product)
      }
      return .done
    }
    let word = arguments.first ?? ""
    let names = [ManPage.Reference(command: word, tool: Tool.name), .init(format: word, tool: Tool.name)]
    guard let page = manual.pages.first(where: { names.contains($0.reference) }) else {
      let guess = session.commands.guess(for: word, among: Manual.formats.map(\.name))
      session.reportError("unknown command \"\(word)\"\(didYouMean(guess))")
      return .usage
    }
    try session.print(PlainText(lines: page.text))
    return .done
  }
}

/// The manual: a page for packtool, for each command, and for each file format.
struct Manual {
  /// A file format that has a page.
  struct Format: Sendable {
    let name: String
    /// A summary that begins with a lower-case letter and has no full stop.
    let summary: String
  }

  private static let manifest = Format(
    name: "manifest", summary: Manifest.summary.prefix(1).lowercased() + Manifest.summary.dropFirst())

  static let formats = [manifest]

  let pages: [ManPage]

  init(of session: Session) {
    let tool = ManPage.Tool(
      name: Tool.name, version: Tool.version, date: packtoolDate, summary: Tool.summary)
    let references = Self.references(for: session)
    let commands = session.commands.map(\.description)
    let overview = ManPage(
      of: tool, commands: commands, flags: Tool.flags,
      related: commands.map { ManPage.Reference(command: $0.name, tool: tool.name) } + [Self.manifestPage])
    let users = commands.filter { !Set($0.files).isDisjoint(with: [.manifest, .writtenManifest]) }
    let format = ManPage(
      ofManifest: Self.manifestPage, summary: Self.manifest.summary, tool: tool,
      related: [ManPage.Reference(command: "", tool: tool.name)]
        + users.map { ManPage.Reference(command: $0.name, tool: tool.name) })
    pages =
      [overview] + commands.map { ManPage(of: $0, tool: tool, related: references[$0.name] ?? []) } + [format]
  }

  private static let manifestPage = ManPage.Reference(format: manifest.name, tool: Tool.name)

  /// Returns the pages that the page of each command leads to, by the name of the command.
  ///
  /// They are the page of packtool, and of the manifest if the command uses it. They are also the pages of the
  /// commands with the same purpose, of the commands that the help mentions, and of other commands that use an
  /// output folder if this command uses one.
  private static func references(for session: Session) -> [String: [ManPage.Reference]] {
    let names = session.commands.map(\.name)
    let usersOfIndex = Set(session.commands.filter { $0.description.files.contains(.index) }.map(\.name))
    var references: [String: [ManPage.Reference]] = [:]
    for group in session.groups {
      for command in group.commands {
        let mentioned = mentions(in: command.description)
        // The last group contains all commands without a common purpose.
        let neighbors = group.name == session.groups.last?.name ? [] : Set(group.commands.map(\.name))
        let users = usersOfIndex.contains(command.name) ? usersOfIndex : []
        let related = names.filter {
          $0 != command.name && mentioned.union(neighbors).union(users).contains($0)
        }
        let usesManifest = !Set(command.description.files).isDisjoint(with: [.manifest, .writtenManifest])
        references[command.name] =
          [ManPage.Reference(command: "", tool: Tool.name)]
          + related.map { ManPage.Reference(command: $0, tool: Tool.name) }
          + (usesManifest ? [manifestPage] : [])
      }
    }
    return references
  }

  /// Returns the words of a command's help that are in the place of a command: after "packtool" or after a
  /// quotation mark.
  private static func mentions(in command: CommandDescription) -> Set<String> {
    let texts =
      command.discussion + command.flags.map(\.summary) + command.arguments.map(\.summary)
      + command.examples.map(\.label)
    let matches = texts.joined(separator: "\n").matches(of: /(?:packtool |"(?!packtool))([a-z]+)/)
    return Set(matches.map { String($0.output.1) })
  }
}
