import Findings

/// A configuration by which another server hosts a built folder.
package struct HostingConfig: Sendable {
  /// The servers; the raw value is the name in flags.
  package enum Server: String, CaseIterable, Sendable {
    case nginx
    case caddy
    case apache
  }

  /// A path or a name with a character that means something in one of these configurations.
  package struct Mistake: Error {
    package let text: String
  }

  /// Who may ask, and the file with the password, beside which the file with its hash goes.
  package typealias User = (name: String, path: String)

  /// The folder's absolute path.
  let folder: String
  let layout: ServedTable.Layout
  /// The first name by which the server is asked.
  let name: String
  let address: IPAddress
  let port: Int
  let user: User?
  /// The absolute paths of the certificate chain and its key.
  let certificate: (chain: String, key: String)?

  package init(
    folder: String, _ layout: ServedTable.Layout, name: String?, _ address: IPAddress, port: Int?,
    user: User?,
    certificate: (chain: String, key: String)?
  ) throws(Mistake) {
    let texts = [folder, user?.name, user?.path, certificate?.chain, certificate?.key].compactMap { $0 }
    for text in texts where !Self.isPlain(text) { throw Mistake(text: text) }
    if let user, user.name.contains(where: { $0 == " " || $0 == ":" }) { throw Mistake(text: user.name) }
    self.folder = folder
    self.layout = layout
    self.name = name ?? "localhost"
    self.address = address
    self.port = port ?? (certificate == nil ? 80 : 443)
    self.user = user
    self.certificate = certificate
  }

  /// The text for a server.
  package func text(for server: Server) -> String {
    switch server {
    case .nginx: nginx
    case .caddy: caddy
    case .apache: apache
    }
  }

  /// How the file with the hash of the password is made.
  var hashCommand: String {
    guard let user else { return "" }
    return """
      # The login; once:
      #   printf '%s:%s\\n' "\(user.name)" "$(head -n 1 "\(user.path)" | openssl passwd -apr1 -stdin)" > "\(user.path).htpasswd"

      """
  }

  /// Whether a text is only text within double quotes of every dialect.
  private static func isPlain(_ text: String) -> Bool {
    !text.isEmpty
      && text.unicodeScalars.allSatisfy {
        !$0.isObeyedOrHidden && !"\"\\$%{}'`<>#;".unicodeScalars.contains($0)
      }
  }
}

extension ServedTable.Layout {
  /// Which paths of a built folder others are to be served, and how long they keep them: what a table says, as rules for
  /// servers that know no table.
  ///
  /// A pattern is a regular expression of the whole path, in the dialect that PCRE, RE2 and Apache share.
  var rules: [(pattern: String, caching: ServedFile.Caching)] {
    switch self {
    case .packtool:
      [
        ("^/index\\.json(\\.minisig)?$", .revalidated),
        ("^/(contents\\.[0-9a-f]+\\.json|packs/.+|patches/[0-9a-f.]+\\.(json|zip))$", .immutable),
      ]
    case .hosted: [("^/(AssetPackManifest\\.plist|[^/]+\\.assetpack)$", .revalidated)]
    case .backgroundAssets:
      [
        (
          "^/((tags|download-manifest)\\.json|manifests/[^/]+\\.json|archives/[^/]+\\.aar|packs/.+)$",
          .revalidated
        )
      ]
    }
  }
}

// One text for each server. Folders are quoted; patterns have no quotes in them.
extension HostingConfig {
  /// The media types by the last part of names, which is all that these servers look at.
  private var extensions: [(name: Substring, type: String)] {
    ServedFile.types.map { ($0.suffix.split(separator: ".").last ?? "", $0.type) }
  }

  var nginx: String {
    let secure =
      certificate.map { "\n  ssl_certificate \"\($0.chain)\";\n  ssl_certificate_key \"\($0.key)\";" } ?? ""
    let login =
      user.map { "\n  auth_basic \"packtool\";\n  auth_basic_user_file \"\($0.path).htpasswd\";" } ?? ""
    let types = extensions.map { "    \($0.type) \($0.name);\n" }.joined()
    let places = layout.rules.map { rule in
      """
        location ~ "\(rule.pattern)" {
          limit_except GET { deny all; }
          add_header Cache-Control "\(rule.caching.header)";
          add_header X-Content-Type-Options nosniff;
        }

      """
    }.joined()
    return """
      # For nginx, inside http { }. It answers HEAD, ranges and conditions by itself.
      \(hashCommand)server {
        listen \(address.urlText):\(port)\(certificate == nil ? "" : " ssl");
        server_name "\(name)";\(secure)\(login)
        root "\(folder)";
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

  var caddy: String {
    let secure = certificate.map { "\n\ttls \"\($0.chain)\" \"\($0.key)\"" } ?? ""
    let scheme = certificate == nil ? "http" : "https"
    let login =
      user.map {
        """
        # The login; in the environment of Caddy:
        #   PACKTOOL_PASSWORD_HASH=$(caddy hash-password --plaintext "$(head -n 1 "\($0.path)")")

        """
      } ?? ""
    let account = user.map { "\n\tbasicauth {\n\t\t\($0.name) {$PACKTOOL_PASSWORD_HASH}\n\t}" } ?? ""
    let types = extensions.map { name, type in
      "\t@\(name) path *.\(name)\n\theader @\(name) Content-Type \(type)\n"
    }.joined()
    let places = layout.rules.enumerated().map { number, rule in
      """
      \t@files\(number) {
      \t\tmethod GET HEAD
      \t\tpath_regexp "\(rule.pattern)"
      \t}
      \thandle @files\(number) {
      \t\theader Cache-Control "\(rule.caching.header)"
      \t\theader X-Content-Type-Options nosniff
      \t\tfile_server
      \t}

      """
    }.joined()
    return """
      # For Caddy, as a Caddyfile or in one.
      \(login)\(scheme)://:\(port) {
      \tbind \(address.text)\(secure)\(account)
      \troot * "\(folder)"
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

  var apache: String {
    let secure =
      certificate.map {
        "\n  SSLEngine on\n  SSLCertificateFile \"\($0.chain)\"\n  SSLCertificateKeyFile \"\($0.key)\""
      } ?? ""
    let access =
      user.map {
        "AuthType Basic\n    AuthName packtool\n    AuthUserFile \"\($0.path).htpasswd\"\n    Require valid-user"
      }
      ?? "Require all granted"
    let types = extensions.map { "  AddType \($0.type) .\($0.name)\n" }.joined()
    let places = layout.rules.map { rule in
      """
        <LocationMatch "\(rule.pattern)">
          \(access)
          Header set Cache-Control "\(rule.caching.header)"
          Header set X-Content-Type-Options nosniff
        </LocationMatch>

      """
    }.joined()
    let modules =
      (certificate == nil ? "" : ", ssl") + (user == nil ? "" : ", auth_basic, authn_file, authz_user")
    return """
      # For Apache 2.4 with the modules authz_core, deflate, filter, headers, mime\(modules).
      \(hashCommand)Listen \(address.urlText):\(port)
      <VirtualHost \(address.urlText):\(port)>
        ServerName \(name)\(secure)
        DocumentRoot "\(folder)"
        <Directory "\(folder)">
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
