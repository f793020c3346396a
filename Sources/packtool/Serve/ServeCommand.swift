import Findings
import Flags
import PackKit
import Releases
import Serving
import System

extension Command {
  private struct Options: ReportingOptions {
    var serve = ServeOptions()
    var shared = SharedOptions()
  }

  /// The command `packtool serve DIR`.
  static let serve = Command(
    reporting: CommandSyntax<Options>(
      name: "serve", summary: "serve a built folder to an app in development, over any link",
      discussion: [
        "Answers GET and HEAD of what the folder's index names, in the layouts packtool, hosted and "
          + "background-assets, and of nothing else. A build that is published meanwhile is served from then on; a "
          + "download that has begun ends with the old bytes.",
        "The page at / shows each tag, and how much of it was fetched. SIGINT or SIGTERM ends the server.",
      ],
      examples: [
        .init("serve packs --port 8080 --link 3G", "as an app behind 3G would see it"),
        .init("serve packs --fail 503:1/20 --fail 'cut:100 kB:*Castle*'", "what an app must be ready for"),
      ],
      arguments: [builtFolderArgument],
      flags: ServeOptions.flags(in: \.serve) + SharedOptions.flags(in: \.shared), mistake: \.serve.mistake),
    Options.init
  ) { options, arguments, session in
    ThisProcess.raiseFileLimit()
    let reading = try BuiltTable(arguments[0])
    session.report(options.shared.judged(reading.diagnostics, path: reading.indexPath), options.shared)
    guard let table = reading.table else { return .inputHasErrors }
    let settings: PackServer.Settings
    do {
      if let server = options.serve.server {
        let config = try options.serve.config(folder: folderPath(of: reading.indexPath), table.layout)
        try session.print(PlainText(lines: config.text(for: server)))
        return .done
      }
      settings = try options.serve.settings { session.complain("\($0); further requests are not logged") }
    } catch let mistake as UsageMistake {
      return session.refuse(mistake)
    }
    let release = LiveRelease(arguments[0], table, indexPath: reading.indexPath, said: reading.diagnostics) {
      table, found in
      session.say(options.shared.judged(found, path: reading.indexPath), options.shared)
      session.narrate(
        table.map { "serving a new build: \(ServerText.size(of: $0))\n" }
          ?? "the build before is served on\n",
        options.shared)
    }
    for fault in settings.faults where !fault.hitsAny(of: table) {
      session.narrate(
        "\(Tool.name): warning: \"--fail \(fault.text)\" matches nothing that is served\n", options.shared)
    }
    let server: PackServer
    do {
      server = try PackServer(release, settings)
    } catch let error as SystemError where error.isInUse {
      session.complain(
        "\(error); end the program that has it, or take any free port by \"--port 0\"", .machineFailure)
      return .machineFailed
    }
    let text = ServerText(server, table, path: arguments[0])
    if let hint = text.hint { session.narrate(hint, options.shared) }
    try session.print(text.text)
    while Interruption.signal == nil { ThisProcess.rest(seconds: 0.1) }
    server.stop()
    return .done
  }
}

/// The greeting of a server.
struct ServerText {
  private let urls: [String]
  private let table: ServedTable
  private let path: String

  init(_ server: PackServer, _ table: ServedTable, path: String) {
    urls = server.urls
    self.table = table
    self.path = path
  }

  /// Where it is, and for layouts whose packs are found by a URL prefix the setting of a project.
  var text: PlainText {
    let setting: PlainText = table.layout == .hosted ? "ASSET_PACK_MANIFEST_URL_PREFIX = \(urls[0])\n" : ""
    let places: PlainText = urls.map { "\($0)\n" as PlainText }.joined()
    return "serving \(quoted(path)): \(Self.size(of: table))\n" + places + setting
  }

  /// The reason why apps do not find the packs here; nil where none is known.
  var hint: PlainText? {
    guard let prefix = table.prefix, !urls.contains(where: prefix.hasPrefix) else { return nil }
    return
      "the URLs in its list begin with \(quoted(prefix)); to fetch packs here, build with --url-prefix \(urls[0])\n"
  }

  /// The layout and how much there is.
  static func size(of table: ServedTable) -> PlainText {
    "layout \(table.layout.rawValue), \(counted(table.packs.count, "pack")), \(ByteSize.text(table.size))"
  }
}
