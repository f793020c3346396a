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

  private static let certificate = HostingConfig.Certificate(chainFile: "/c.pem", keyFile: "/k.pem")
  private static let user = HostingConfig.User(name: "dev", passwordFile: "/password")

  @Test func `the port depends on the certificate`() throws {
    func config(_ port: Int?, _ certificate: HostingConfig.Certificate?) throws -> HostingConfig {
      try HostingConfig(
        folder: "/srv", layout: .packtool, address: nil, port: port, certificate: certificate)
    }
    #expect(try config(nil, nil).port == 80 && config(nil, Self.certificate).port == 443)
    #expect(try config(8080, nil).port == 8080 && config(8080, Self.certificate).port == 8080)
    #expect(try config(nil, nil).name == "localhost" && config(nil, nil).hashCommand == nil)
  }

  /// Returns the lines of a configuration, without the spaces before and after them.
  private func lines(
    _ server: HostingConfig.Server, _ layout: Layout = .packtool, user: HostingConfig.User? = nil,
    certificate: HostingConfig.Certificate? = nil
  ) throws -> [Substring] {
    let config = try HostingConfig(
      folder: "/srv", layout: layout, name: "a.example", address: .loopback, user: user,
      certificate: certificate)
    return config.text(for: server).text.split(separator: "\n").map {
      $0.drop { $0 == " " || $0 == "\t" }
    }
  }

  /// The lines that only a configuration with a certificate contains.
  @Test(arguments: [
    (
      HostingConfig.Server.nginx,
      ["listen 127.0.0.1:443 ssl;", "ssl_certificate \"/c.pem\";", "ssl_certificate_key \"/k.pem\";"]
    ),
    (.caddy, ["https://:443 {", "tls \"/c.pem\" \"/k.pem\""]),
    (
      .apache,
      [
        "Listen 127.0.0.1:443", "<VirtualHost 127.0.0.1:443>", "SSLEngine on",
        "SSLCertificateFile \"/c.pem\"", "SSLCertificateKeyFile \"/k.pem\"",
      ]
    ),
  ]) func `a certificate`(server: HostingConfig.Server, expected: [String]) throws {
    let plain = try Set(lines(server))
    let added = try lines(server, certificate: Self.certificate).filter { !plain.contains($0) }
    #expect(added.filter { !$0.hasPrefix("#") } == expected.map { $0[...] })
    let usual: [HostingConfig.Server: [Substring]] = [
      .nginx: ["listen 127.0.0.1:80;"], .caddy: ["http://:80 {", "bind 127.0.0.1"],
      .apache: ["Listen 127.0.0.1:80", "<VirtualHost 127.0.0.1:80>"],
    ]
    #expect(plain.isSuperset(of: try #require(usual[server])))
  }

  /// The lines that only a configuration with a user contains.
  @Test(arguments: [
    (
      HostingConfig.Server.nginx,
      ["auth_basic \"packtool\";", "auth_basic_user_file \"/password.htpasswd\";"]
    ),
    (.caddy, ["basicauth {", "\"dev\" {$PACKTOOL_PASSWORD_HASH}"]),
    (
      .apache,
      [
        "AuthType Basic", "AuthName packtool", "AuthUserFile \"/password.htpasswd\"", "Require valid-user",
        "AuthType Basic", "AuthName packtool", "AuthUserFile \"/password.htpasswd\"", "Require valid-user",
      ]
    ),
  ]) func `a user`(server: HostingConfig.Server, expected: [String]) throws {
    let plain = try Set(lines(server))
    let all = try lines(server, user: Self.user)
    #expect(all.filter { !plain.contains($0) && !$0.hasPrefix("#") } == expected.map { $0[...] })
    let comments = all.filter { $0.hasPrefix("#") }.joined(separator: "\n")
    #expect(comments.contains("/password") && plain.allSatisfy { !$0.contains("/password") })
  }

  @Test(arguments: Layout.allCases) func `each layout has its rules`(layout: Layout) throws {
    for server in HostingConfig.Server.allCases {
      let text = try lines(server, layout).joined(separator: "\n")
      for rule in layout.rules {
        #expect(text.contains("\"\(rule.pattern)\""), "\(server)")
        #expect(text.contains("\"\(rule.caching.header)\""), "\(server)")
      }
      #expect(text.contains("\"/srv\"") && text.contains("a.example") == (server != .caddy))
    }
  }

  @Test func `no text has a special meaning`() throws {
    func isAccepted(_ change: (inout HostingConfig.User, inout HostingConfig.Certificate) -> Void) -> Bool {
      var (user, certificate) = (Self.user, Self.certificate)
      change(&user, &certificate)
      return
        (try? HostingConfig(
          folder: "/srv", layout: .packtool, address: nil, user: user, certificate: certificate)) != nil
    }
    #expect(isAccepted { _, _ in })
    for text in ["", "a\"", "a\n", "a$", "a#", "a\u{202e}"] {
      #expect(
        !isAccepted { user, _ in user.name = text } && !isAccepted { user, _ in user.passwordFile = text })
      #expect(!isAccepted { $1.chainFile = text } && !isAccepted { $1.keyFile = text }, "\(text)")
    }
    #expect(!isAccepted { user, _ in user.name = "a b" } && !isAccepted { user, _ in user.name = "a:b" })
    #expect(isAccepted { user, _ in user.passwordFile = "/a b:c" })
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
