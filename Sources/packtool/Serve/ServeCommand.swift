import Formats
import Model
import Pipeline
import Play
import Serving
import System

extension Command {
  static let serve = Command(
    CommandSyntax<ServeOptions>(
      name: "serve", summary: "serve a built folder to an app in development, over a simulated network",
      arguments: [builtFolderArgument],
      flags: ServeOptions.flags, mistake: \.mistake
    ).noting(exitStatus: "After SIGINT, SIGTERM or SIGHUP, the server ends with status 0"),
    defaults: ServeOptions.init
  ) { options, arguments, session in
    ThisProcess.raiseFileLimit()
    let reading = try BuiltTable(arguments[0])
    let secrets = options.secretFiles.compactMap(\.finding)
    let findings = options.shared.judged(reading.diagnostics + secrets, manifestPath: reading.indexPath)
    session.report(findings, options: options.shared)
    guard let table = reading.table, !findings.hasErrors else { return .inputHasErrors }
    if let server = options.server {
      let config = try options.config(folder: folderPath(of: reading.indexPath), layout: table.layout)
      try session.print(PlainText(lines: config.text(for: server).text))
      if options.host == nil {
        session.printProgress(
          "the server with this configuration listens on all addresses of the machine; to choose one, use "
            + "--host ADDRESS\n",
          options: options.shared)
      }
      return .done
    }
    let settings = try options.settings { session.reportError("\($0); later requests are not logged") }
    let release = LiveRelease(
      arguments[0], table: table, indexPath: reading.indexPath, alreadyReported: reading.diagnostics
    ) {
      table, found in
      session.printFindings(
        options.shared.judged(found, manifestPath: reading.indexPath), options: options.shared)
      session.printProgress(
        table.map { "serving a new build: \($0.sum)\n" }
          ?? "still serving the previous build\n",
        options: options.shared)
    }
    for fault in settings.faults where !fault.hitsAny(of: table) {
      session.printProgress(
        "\(Tool.name): warning: \"--fail \(fault.text)\" matches no served file\n",
        options: options.shared)
    }
    let server: PackServer
    do {
      server = try PackServer(release, settings: settings)
    } catch let error as SystemError where error.isInUse {
      session.reportError(
        "\(error); stop the program that uses the port, or use any free port with \"--port 0\"",
        check: .machineFailure
      )
      return .machineFailed
    }
    if let hint = table.hint(at: server.urls) { session.printProgress(hint, options: options.shared) }
    try session.print(table.greeting(at: server.urls, path: arguments[0]))
    while Interruption.signal == nil { ThisProcess.sleep(seconds: 0.1) }
    server.stop()
    return .done
  }
}

extension ServedTable {
  /// Returns the greeting of a server: its URLs, and for the `hosted` layout the build setting of an Xcode
  /// project.
  fileprivate func greeting(at urls: [String], path: String) -> PlainText {
    let setting: PlainText = layout == .hosted ? "ASSET_PACK_MANIFEST_URL_PREFIX = \(urls[0])\n" : ""
    let places: PlainText = urls.map { "\($0)\n" as PlainText }.joined()
    return "serving \(quoted(path)): \(sum)\n" + places + setting
  }

  /// Returns a hint if apps would not find the packs on this server; nil if there is no such problem.
  fileprivate func hint(at urls: [String]) -> PlainText? {
    guard let prefix, !urls.contains(where: prefix.hasPrefix) else { return nil }
    return
      "the URLs of the packs begin with \(quoted(prefix)); to download packs from this server, build with "
      + "--set layout.urlPrefix=\(quoting: "\(urls[0])" as ShellText)\n"
  }

  fileprivate var sum: PlainText {
    "layout \(layout.rawValue), \(counted(packs.count, of: "pack")), \(ByteSize.text(size))"
  }
}

struct ServeOptions: ReportingOptions {
  /// The settings that can be made without reading a file.
  private(set) var settings = PackServer.Settings()
  /// The address on the command line.
  ///
  /// Without this address, packtool's server listens only on this machine, and a generated configuration
  /// listens at all addresses.
  private(set) var host: IPAddress?
  private(set) var port: Int?
  private(set) var user: UserFile?
  private(set) var certificate: String?
  private(set) var key: String?
  private(set) var log: String?
  private(set) var isInsecure = false
  private(set) var server: HostingConfig.Server?
  var shared = SharedOptions()

  /// A user of the server.
  ///
  /// The password is in a file.
  struct UserFile: Sendable {
    let name: String
    /// The path of the password file.
    let path: String
  }

  var mistake: String? {
    if (certificate == nil) != (key == nil) { return "\"--cert\" and \"--key\" must be used together" }
    let isLocal = host?.isLoopback ?? (server == nil)
    if user != nil && certificate == nil && !isLocal && !isInsecure {
      return "the password would be sent over the network unencrypted; add --cert and --key, or --insecure"
    }
    return nil
  }

  /// The files with the password and the certificate's key, except pipes.
  fileprivate var secretFiles: [SecretFile] {
    [user?.path, key].compactMap(\.self).compactMap(SecretFile.init)
  }

  func settings(logFailure: @escaping @Sendable (SystemError) -> Void) throws -> PackServer.Settings {
    var settings = settings
    settings.address = host ?? settings.address
    settings.port = UInt16(port ?? 0)
    settings.login = try user.map {
      Login(name: $0.name, password: try secretPassword(in: $0.path, for: "--user"))
    }
    if let certificate, let key {
      settings.certificate = CertificateText(
        chain: try secretText(of: certificate, for: "--cert"), key: try secretText(of: key, for: "--key"))
    }
    settings.log = try log.map { try RequestLog($0, reportError: logFailure) }
    return settings
  }

  func config(folder: String, layout: Layout) throws -> HostingConfig {
    func absolute(_ path: String) throws -> String {
      String(decoding: try FileOperations.realPath(of: path), as: UTF8.self)
    }
    do {
      return try HostingConfig(
        folder: absolute(folder), layout: layout, name: settings.names.first, address: host, port: port,
        user: user.map { HostingConfig.User(name: $0.name, passwordFile: try absolute($0.path)) },
        certificate: certificate.flatMap { chain in
          try key.map { HostingConfig.Certificate(chainFile: try absolute(chain), keyFile: try absolute($0)) }
        })
    } catch let mistake as HostingConfig.Mistake {
      throw FlagMistake(
        "\(quoted(mistake.text)) contains a character with a special meaning in the configuration; rename it")
    }
  }

  static let flags: [Flag<ServeOptions>] =
    [
      .parsed(
        "--host", valueName: "ADDRESS",
        summary: "address to listen on (default: 127.0.0.1; with --config all addresses)",
        parse: address, into: \.host),
      .number("--port", summary: "port (default: any free port)", range: 0...65_535, into: \.port),
      .each(
        "--name", valueName: "NAME", summary: "another host name that the server answers to", parse: name,
        add: { $0.settings.names.append($1) }),
      .parsed(
        "--link", valueName: "NAME",
        summary: "send as slowly as a network profile: \(listed(NetworkProfile.all.map(\.name)))",
        parse: network,
        into: \.settings.network),
      .each(
        "--fail", valueName: "FAULT", summary: "fail on purpose: 404:PATTERN, cut:BYTES:PATTERN or 503:1/20",
        parse: fault, add: { $0.settings.faults.append($1) }),
      .value(
        "--log", valueName: "FILE", kind: .file(.output),
        summary: "append a line of JSON to FILE for each request",
        into: \.log
      ),
      .parsed(
        "--user", valueName: "NAME:FILE",
        summary: "require a user name, and the password in the first line of a file",
        parse: user, into: \.user),
      .value(
        "--cert", valueName: "FILE", kind: .file(.input, suffixes: [".pem", ".crt"]),
        summary: "serve over HTTPS, with this certificate chain", into: \.certificate),
      .value(
        "--key", valueName: "FILE", kind: .file(.input, suffixes: [".pem", ".key"]),
        summary: "private key of the certificate",
        into: \.key),
      .toggle(
        "--insecure", summary: "allow a password over an unencrypted connection", sets: \.isInsecure),
      .parsed(
        "--allow-origin", valueName: "ORIGIN",
        summary: "let web pages of an origin, such as http://localhost:3000, read the answers", parse: origin,
        into: \.settings.allowedOrigin),
      .choice(
        "--config", valueName: "SERVER",
        summary: "print a configuration with which another server hosts the folder",
        into: \.server),
    ] + SharedOptions.flags(in: \.shared, without: [.jobs])

  private static func address(_ text: String) throws(FlagMistake) -> IPAddress? {
    if text == "localhost" { return .loopback }
    guard let address = IPAddress(text) else {
      throw FlagMistake(
        "needs an address of this machine, such as 127.0.0.1, ::1 or 0.0.0.0, not \(quoted(text))")
    }
    return address
  }

  private static func name(_ text: String) throws(FlagMistake) -> String {
    guard HostNames.host(of: text) == text.lowercased(), isHostName(text) else {
      throw FlagMistake("needs a host name without a port, such as build-server.local, not \(quoted(text))")
    }
    return text
  }

  private static func isHostName(_ text: String) -> Bool {
    text.utf8.count <= 253
      && text.unicodeScalars.allSatisfy {
        $0.isASCII && ($0.properties.isAlphabetic || "0123456789-._".unicodeScalars.contains($0))
      }
  }

  private static func network(_ name: String) throws(FlagMistake) -> NetworkProfile? {
    if NetworkProfile.isNone(name) {
      throw FlagMistake("does not accept \"none\"; to simulate a missing network, stop the server")
    }
    return try networkLink(name, among: NetworkProfile.all.map(\.name))
  }

  private static func fault(_ text: String) throws(FlagMistake) -> Fault {
    do throws(Fault.Mistake) { return try Fault(text) } catch { throw FlagMistake(error.message) }
  }

  private static func user(_ text: String) throws(FlagMistake) -> UserFile? {
    let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
    guard parts.count == 2, !parts[0].isEmpty, !parts[1].isEmpty else {
      throw FlagMistake("needs NAME:FILE, a user name and a file with the password, not \(quoted(text))")
    }
    return UserFile(name: parts[0], path: parts[1])
  }

  private static func origin(_ text: String) throws(FlagMistake) -> String? {
    let schemes = ["http://", "https://"]
    guard let scheme = schemes.first(where: text.hasPrefix),
      case let host = String(text.dropFirst(scheme.count)),
      HostNames.host(of: host) != nil,
      host.unicodeScalars.allSatisfy({
        $0.isASCII && ($0.properties.isAlphabetic || "0123456789-._:[]".unicodeScalars.contains($0))
      })
    else {
      throw FlagMistake(
        "needs one origin, such as http://localhost:3000, not \(quoted(text)), because otherwise the pages "
          + "of any site could read all packs")
    }
    return text
  }
}
