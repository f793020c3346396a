package import Formats
package import Model

/// A web-server configuration that hosts a built folder.
package struct HostingConfig: Sendable {
  /// The supported servers.
  ///
  /// The raw value is the name of the server in flags.
  package enum Server: String, CaseIterable, Sendable {
    case nginx
    case caddy
    case apache
  }

  /// The error for a path or a name that contains a character with a special meaning in one of the
  /// configurations.
  package struct Mistake: Error {
    package let text: String
  }

  /// The user who can access the server.
  package struct User: Sendable {
    package var name: String
    /// The absolute path of the password file.
    ///
    /// The file with the hash of the password is written to the same folder.
    package var passwordFile: String

    package init(name: String, passwordFile: String) {
      self.name = name
      self.passwordFile = passwordFile
    }

    fileprivate var hashFile: String { passwordFile + ".htpasswd" }
  }

  /// The absolute paths of a certificate chain and its key.
  package struct Certificate: Sendable {
    package var chainFile: String
    package var keyFile: String

    package init(chainFile: String, keyFile: String) {
      self.chainFile = chainFile
      self.keyFile = keyFile
    }
  }

  /// The absolute path of the folder.
  let folder: String
  let layout: Layout
  /// The main host name of the server.
  let name: String
  /// The address to listen at; nil for all addresses of the machine.
  let address: IPAddress?
  let port: Int
  let user: User?
  let certificate: Certificate?

  package init(
    folder: String, layout: Layout, name: String? = nil, address: IPAddress?, port: Int? = nil,
    user: User? = nil, certificate: Certificate? = nil
  ) throws(Mistake) {
    let texts = [folder, name, user?.name, user?.passwordFile, certificate?.chainFile, certificate?.keyFile]
    for text in texts.compactMap(\.self) where !HostingForm.isPlain(text) { throw Mistake(text: text) }
    if let user, user.name.contains(where: { $0 == " " || $0 == ":" }) { throw Mistake(text: user.name) }
    self.folder = folder
    self.layout = layout
    self.name = name ?? "localhost"
    self.address = address
    self.port = port ?? (certificate == nil ? 80 : 443)
    self.user = user
    self.certificate = certificate
  }

  /// Returns the configuration for a server.
  package func text(for server: Server) -> HostingText {
    switch server {
    case .nginx: nginx
    case .caddy: caddy
    case .apache: apache
    }
  }

  /// The shell command that makes the file with the hash of the password; nil if the configuration does not
  /// require a login.
  var hashCommand: ShellText? {
    user.map { user in
      """
      printf '%s:%s\\n' \(user.name) "$(head -n 1 \(user.passwordFile) | openssl passwd -apr1 -stdin)" > \(user.hashFile)
      """
    }
  }

  /// The comments that every configuration has after its first line.
  private var remarks: HostingText {
    let everywhere: HostingText =
      "# The server listens on all addresses of the machine; to choose one, use --host.\n"
    return address == nil ? everywhere : ""
  }
}

/// A part of a configuration for nginx, Caddy or Apache.
package typealias HostingText = Written<HostingForm>

/// The common format of the three configuration languages.
///
/// Text from outside is always one argument in double quotes.
package enum HostingForm: WrittenForm {
  /// The three languages have no escape sequence in common, so `HostingConfig` rejects all characters that
  /// would need one.
  package static func escaped(_ text: String) -> String {
    let safe = text.unicodeScalars.map { isPlain($0) ? $0 : "_" }
    return "\"" + String(String.UnicodeScalarView(safe)) + "\""
  }

  /// Whether no character of a string has a special meaning within double quotes in any of the three
  /// languages.
  fileprivate static func isPlain(_ text: String) -> Bool {
    !text.isEmpty && text.unicodeScalars.allSatisfy(isPlain)
  }

  private static func isPlain(_ scalar: Unicode.Scalar) -> Bool {
    !scalar.isControlOrInvisible && !"\"\\$%{}'`<>#;".unicodeScalars.contains(scalar)
  }
}

/// The format of words that are written without quotes: names, addresses and media types.
private enum HostingWordForm: WrittenForm {
  static func escaped(_ text: String) -> String {
    String(text.map { ($0.isASCII && ($0.isLetter || $0.isNumber)) || "._-/:[]".contains($0) ? $0 : "_" })
  }
}

extension HostingText {
  fileprivate init(word text: some StringProtocol) {
    let word: Written<HostingWordForm> = "\(text)"
    self.init(word) { $0 }
  }

  /// Makes the end of a comment from a command line.
  fileprivate init(comment command: ShellText) {
    self.init(command) { $0.replacing(#/[\r\n]/#, with: " ") }
  }
}

/// A rule for some files of a built folder.
///
/// Other servers need rules, because they do not have packtool's table of files.
struct HostingRule: Sendable {
  /// A regular expression for the whole path, in the syntax that PCRE, RE2 and Apache share.
  let pattern: StaticString
  let caching: ServedFile.Caching
}

extension Layout {
  /// The rules for the paths of a built folder that other servers must serve.
  ///
  /// Each rule also sets how its paths may be cached.
  var rules: [HostingRule] {
    switch self {
    case .packtool:
      [
        HostingRule(pattern: "^/index\\.json(\\.minisig)?$", caching: .revalidated),
        HostingRule(
          pattern: "^/(contents\\.[0-9a-f]+\\.json|packs/.+|patches/[0-9a-f.]+\\.(json|zip))$",
          caching: .immutable),
      ]
    // packtool serves packs next to Apple's lists as the layout `hosted`.
    case .xcode, .hosted:
      [HostingRule(pattern: "^/(AssetPackManifest\\.plist|[^/]+\\.assetpack)$", caching: .revalidated)]
    case .backgroundAssets:
      [
        HostingRule(
          pattern:
            "^/((tags|download-manifest)\\.json|manifests/[^/]+\\.json|archives/[^/]+\\.aar|packs/.+)$",
          caching: .revalidated)
      ]
    }
  }
}

// There is one function for each server. The patterns contain no quotes.
extension HostingConfig {
  /// A media type and the last part of its file names.
  ///
  /// These servers check only this part of a name.
  private struct MediaType {
    let suffix: HostingText
    let type: HostingText
  }

  private var types: [MediaType] {
    ServedFile.types.map {
      MediaType(
        suffix: HostingText(word: $0.suffix.split(separator: ".").last ?? ""),
        type: HostingText(word: $0.type))
    }
  }

  private var login: HostingText {
    hashCommand.map {
      "# To make the file for the login, run this command once:\n#   \(HostingText(comment: $0))\n"
    } ?? ""
  }

  private var nginx: HostingText {
    let security: HostingText = certificate == nil ? "" : " ssl"
    let listening: [HostingText] =
      address.map { ["  listen \(HostingText(word: $0.urlText)):\(port)\(security);\n"] }
      ?? ["  listen \(port)\(security);\n", "  listen [::]:\(port)\(security);\n"]
    let secure: HostingText =
      certificate.map { "  ssl_certificate \($0.chainFile);\n  ssl_certificate_key \($0.keyFile);\n" } ?? ""
    let account: HostingText =
      user.map { "  auth_basic \"packtool\";\n  auth_basic_user_file \($0.hashFile);\n" } ?? ""
    let types = self.types.map { kind -> HostingText in "    \(kind.type) \(kind.suffix);\n" }
    let places = layout.rules.map { rule -> HostingText in
      """
        location ~ "\(HostingText(stringLiteral: rule.pattern))" {
          limit_except GET { deny all; }
          add_header Cache-Control \(rule.caching.header);
          add_header X-Content-Type-Options nosniff;
        }

      """
    }
    return """
      # For nginx: put this into http { }. nginx itself answers HEAD, ranges and conditional requests.
      \(remarks)\(login)server {
      \(listening)  server_name \(name);
      \(secure)\(account)  root \(folder);
        sendfile on;
        tcp_nopush on;
        types {
      \(types)  }
        default_type application/octet-stream;
        gzip on;
        gzip_types application/json;
        gzip_comp_level 9;
        gzip_proxied any;
        gzip_vary on;
      \(places)  location / { return 404; }
      }

      """
  }

  private var caddy: HostingText {
    let scheme: HostingText = certificate == nil ? "http" : "https"
    let listening: HostingText = address.map { "\tbind \(HostingText(word: $0.text))\n" } ?? ""
    let secure: HostingText = certificate.map { "\ttls \($0.chainFile) \($0.keyFile)\n" } ?? ""
    let login: HostingText =
      user.map { user in
        let command: ShellText =
          "PACKTOOL_PASSWORD_HASH=$(caddy hash-password --plaintext \"$(head -n 1 \(user.passwordFile))\")"
        return
          "# For the login, set this variable in Caddy's environment:\n#   \(HostingText(comment: command))\n"
      } ?? ""
    let account: HostingText =
      user.map { "\tbasicauth {\n\t\t\($0.name) {$PACKTOOL_PASSWORD_HASH}\n\t}\n" } ?? ""
    let types = self.types.map { kind -> HostingText in
      "\t@\(kind.suffix) path *.\(kind.suffix)\n\theader @\(kind.suffix) Content-Type \(kind.type)\n"
    }
    let places = layout.rules.enumerated().map { number, rule -> HostingText in
      """
      \t@files\(number) {
      \t\tmethod GET HEAD
      \t\tpath_regexp "\(HostingText(stringLiteral: rule.pattern))"
      \t}
      \thandle @files\(number) {
      \t\theader Cache-Control \(rule.caching.header)
      \t\theader X-Content-Type-Options nosniff
      \t\tfile_server
      \t}

      """
    }
    return """
      # For Caddy: use this as a Caddyfile, or add it to one.
      \(remarks)\(login)\(scheme)://:\(port) {
      \(listening)\(secure)\(account)\troot * \(folder)
      \tencode zstd gzip {
      \t\tmatch {
      \t\t\theader Content-Type application/json*
      \t\t}
      \t}
      \(types)\(places)\thandle {
      \t\trespond 404
      \t}
      }

      """
  }

  private var apache: HostingText {
    let place: HostingText = address.map { "\(HostingText(word: $0.urlText)):\(port)" } ?? "*:\(port)"
    let listening: HostingText = address == nil ? "\(port)" : place
    let secure: HostingText =
      certificate.map {
        "  SSLEngine on\n  SSLCertificateFile \($0.chainFile)\n  SSLCertificateKeyFile \($0.keyFile)\n"
      } ?? ""
    let access: HostingText =
      user.map {
        "AuthType Basic\n    AuthName packtool\n    AuthUserFile \($0.hashFile)\n    Require valid-user"
      }
      ?? "Require all granted"
    let types = self.types.map { kind -> HostingText in "  AddType \(kind.type) .\(kind.suffix)\n" }
    let places = layout.rules.map { rule -> HostingText in
      """
        <LocationMatch "\(HostingText(stringLiteral: rule.pattern))">
          \(access)
          Header set Cache-Control \(rule.caching.header)
          Header set X-Content-Type-Options nosniff
        </LocationMatch>

      """
    }
    let ssl: HostingText = certificate == nil ? "" : ", ssl"
    let authentication: HostingText = user == nil ? "" : ", auth_basic, authn_file, authz_user"
    return """
      # For Apache 2.4 with the modules authz_core, deflate, filter, headers, mime\(ssl)\(authentication).
      \(remarks)\(login)Listen \(listening)
      <VirtualHost \(place)>
        ServerName \(HostingText(word: name))
      \(secure)  DocumentRoot \(folder)
        <Directory \(folder)>
          Options None
          AllowOverride None
          Require all denied
        </Directory>
        RemoveEncoding .gz
        AddOutputFilterByType DEFLATE application/json
        DeflateCompressionLevel 9
      \(types)\(places)</VirtualHost>

      """
  }
}
