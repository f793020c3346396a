import Formats
import Model
@testable import Serving
import Testing

/// Tests the text of the printed server configurations.
///
/// The servers that read them are not started.
@Suite struct HostingTextTests {
  private static func directive(of server: HostingConfig.Server) -> Regex<(Substring, Substring)> {
    switch server {
    case .nginx: #/(?m)^ *listen ([^;]+);/#
    case .caddy: #/(?m)^\tbind (.+)$/#
    case .apache: #/(?m)^(?:Listen|<VirtualHost) ([^>\n]+)/#
    }
  }

  /// Returns the addresses at which a configuration listens, in the server's syntax.
  private func listening(_ server: HostingConfig.Server, at address: IPAddress?) throws -> [String] {
    let config = try HostingConfig(folder: "/srv/packs", layout: .packtool, address: address, port: 8080)
    let text = config.text(for: server).text
    #expect(text.contains("all addresses") == (address == nil))
    return text.matches(of: Self.directive(of: server)).map { String($0.1) }
  }

  /// Caddy listens on all addresses if the configuration contains no address.
  @Test func `without an address they listen everywhere`() throws {
    #expect(try listening(.nginx, at: nil) == ["8080", "[::]:8080"])
    #expect(try listening(.caddy, at: nil) == [])
    #expect(try listening(.apache, at: nil) == ["8080", "*:8080"])
  }

  @Test func `they listen at the address that is given`() throws {
    #expect(try listening(.nginx, at: .loopback) == ["127.0.0.1:8080"])
    #expect(try listening(.caddy, at: .loopback) == ["127.0.0.1"])
    #expect(try listening(.apache, at: .loopback) == ["127.0.0.1:8080", "127.0.0.1:8080"])
    #expect(try listening(.nginx, at: IPAddress("::1")) == ["[::1]:8080"])
  }

  @Test func `text is one argument`() {
    // This string contains everything that an attacker would use. As an interpolation, it is harmless.
    let text: HostingText = "root \("/a\" ; } load_module \"x.so\n$b`c`\\");"
    #expect(text.text == "root \"/a_ _ _ load_module _x.so__b_c__\";")
    for name in ["a;b", "a b;", "x\"y"] {
      #expect(throws: HostingConfig.Mistake.self) {
        try HostingConfig(folder: "/a", layout: .packtool, name: name, address: nil)
      }
    }
  }
}
