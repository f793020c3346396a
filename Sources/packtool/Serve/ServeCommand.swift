import Findings
import Flags
import PackKit
import Serving
import System

extension Command {
  /// The command `packtool serve DIR`.
  static let serve = Command(
    reporting: CommandSyntax<ServeOptions>(
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
      flags: ServeOptions.flags, mistake: \.mistake),
    ServeOptions.init
  ) { options, arguments, session in
    ThisProcess.raiseFileLimit()
    let reading = try BuiltTable(arguments[0])
    session.report(options.shared.judged(reading.diagnostics, path: reading.indexPath), options.shared)
    guard let table = reading.table else { return .inputHasErrors }
    if let server = options.server {
      let config = try options.config(folder: folderPath(of: reading.indexPath), table.layout)
      try session.print(PlainText(lines: config.text(for: server)))
      return .done
    }
    let settings = try options.settings { session.complain("\($0); further requests are not logged") }
    let release = LiveRelease(arguments[0], table, indexPath: reading.indexPath, said: reading.diagnostics) {
      table, found in
      session.say(options.shared.judged(found, path: reading.indexPath), options.shared)
      session.narrate(
        table.map { "serving a new build: \($0.sum)\n" }
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
    if let hint = table.hint(at: server.urls) { session.narrate(hint, options.shared) }
    try session.print(table.greeting(at: server.urls, path: arguments[0]))
    while Interruption.signal == nil { ThisProcess.rest(seconds: 0.1) }
    server.stop()
    return .done
  }
}

extension ServedTable {
  /// The greeting of a server: where it is, and for layouts whose packs are found by a URL prefix the setting of a
  /// project.
  fileprivate func greeting(at urls: [String], path: String) -> PlainText {
    let setting: PlainText = layout == .hosted ? "ASSET_PACK_MANIFEST_URL_PREFIX = \(urls[0])\n" : ""
    let places: PlainText = urls.map { "\($0)\n" as PlainText }.joined()
    return "serving \(quoted(path)): \(sum)\n" + places + setting
  }

  /// The reason why apps do not find the packs here; nil where none is known.
  fileprivate func hint(at urls: [String]) -> PlainText? {
    guard let prefix, !urls.contains(where: prefix.hasPrefix) else { return nil }
    return
      "the URLs in its list begin with \(quoted(prefix)); to fetch packs here, build with --url-prefix \(urls[0])\n"
  }

  /// The layout and how much there is.
  fileprivate var sum: PlainText {
    "layout \(layout.rawValue), \(counted(packs.count, "pack")), \(ByteSize.text(size))"
  }
}
