// One text for each server. Folders are quoted; patterns have no quotes in them.
extension HostingConfig {
  /// The media types by the last part of names, which is all that these servers look at.
  private var extensions: [(name: Substring, type: String)] {
    ServedFile.types.map { ($0.suffix.split(separator: ".").last ?? "", $0.type) }
  }

  var nginx: String {
    let secure =
      certificate.map { "\n  ssl_certificate \"\($0.chain)\";\n  ssl_certificate_key \"\($0.key)\";" } ?? ""
    let login = user.map { "\n  auth_basic \"packtool\";\n  auth_basic_user_file \"\($0.hashes)\";" } ?? ""
    let types = extensions.map { "    \($0.type) \($0.name);\n" }.joined()
    let places = rules.map { rule in
      """
        location ~ "\(rule.pattern)" {
          limit_except GET { deny all; }
          add_header Cache-Control "\(rule.cacheControl)";
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
    let places = rules.enumerated().map { number, rule in
      """
      \t@files\(number) {
      \t\tmethod GET HEAD
      \t\tpath_regexp "\(rule.pattern)"
      \t}
      \thandle @files\(number) {
      \t\theader Cache-Control "\(rule.cacheControl)"
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
        "AuthType Basic\n    AuthName packtool\n    AuthUserFile \"\($0.hashes)\"\n    Require valid-user"
      }
      ?? "Require all granted"
    let types = extensions.map { "  AddType \($0.type) .\($0.name)\n" }.joined()
    let places = rules.map { rule in
      """
        <LocationMatch "\(rule.pattern)">
          \(access)
          Header set Cache-Control "\(rule.cacheControl)"
          Header set X-Content-Type-Options nosniff
        </LocationMatch>

      """
    }.joined()
    let modules =
      (certificate == nil ? "" : ", ssl") + (user == nil ? "" : ", auth_basic, authn_file, authz_user")
    return """
      # For Apache 2.4 with the modules authz_core, headers, mime\(modules).
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
      \(types)\(places)</VirtualHost>

      """
  }
}
