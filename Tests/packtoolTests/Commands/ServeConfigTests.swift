import Support
import Testing
@testable import packtool

/// Tests the output of `serve --config`.
///
/// The test reads each configuration as the server reads it.
@Suite struct ServeConfigTests {
  private static let servers = ["nginx", "caddy", "apache"]

  /// Returns the addresses at which a server with this configuration listens.
  ///
  /// They are the values of the server's own directives.
  private static func listening(_ server: String, _ text: String) -> [String] {
    let directive: Regex<(Substring, Substring)> =
      switch server {
      case "nginx": #/(?m)^ *listen ([^;]+);/#
      case "caddy": #/(?m)^(?:http://|\tbind )([^ \n]+)/#
      default: #/(?m)^(?:Listen|<VirtualHost) ([^>\n]+)/#
      }
    return text.matches(of: directive).map { String($0.1) }
  }

  /// Returns the directives with which a server listens to a port at all addresses.
  private static func everywhere(_ server: String, _ port: Int) -> [String] {
    switch server {
    case "nginx": ["\(port)", "[::]:\(port)"]
    case "caddy": [":\(port)"]
    default: ["\(port)", "*:\(port)"]
    }
  }

  private func built() throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    try folder.write("Assets/a", "a")
    try folder.writeManifest([.path("a", "A")], root: "Assets")
    #expect(runTool("build", folder.path, "-o", folder.path("out"), "-q").status == .done)
    return folder
  }

  @Test(arguments: servers) func `without a host a configuration listens on all addresses`(server: String)
    throws
  {
    let folder = try built()
    let words = ["serve", folder.path("out"), "--config", server]
    let run = runTool(words: words)
    #expect(run.status == .done && run.errors.contains("all addresses"), "\(run.errors)")
    #expect(Self.listening(server, run.output) == Self.everywhere(server, 80), "\(run.output)")
    let other = runTool(words: words + ["--port", "8080", "--name", "packs.example.com"])
    #expect(Self.listening(server, other.output).allSatisfy { !$0.contains("127.0.0.1") })
    #expect(Self.listening(server, other.output).contains { $0.contains("8080") }, "\(other.output)")
  }

  @Test(arguments: servers, ["127.0.0.1", "192.0.2.7"])
  func `a host is where a configuration listens`(server: String, host: String) throws {
    let folder = try built()
    let run = runTool("serve", folder.path("out"), "--config", server, "--host", host, "--port", "8080")
    #expect(run.status == .done && !run.errors.contains("all addresses"), "\(run.errors)")
    let found = Self.listening(server, run.output)
    #expect(found.contains { $0.contains(host) }, "\(run.output)")
    #expect(found.allSatisfy { $0.contains(host) || server == "caddy" }, "\(found)")
  }
}
