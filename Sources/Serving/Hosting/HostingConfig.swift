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

  /// Who may ask, and where the password is.
  package struct User: Sendable {
    package let name: String
    /// The file with the password, beside which the file with its hash goes.
    package let path: String

    package init(name: String, path: String) {
      self.name = name
      self.path = path
    }

    var hashes: String { "\(path).htpasswd" }
  }

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

  var rules: [HostedPaths.Rule] { HostedPaths(layout).rules }

  /// How the file with the hash of the password is made.
  var hashCommand: String {
    guard let user else { return "" }
    return """
      # The login; once:
      #   printf '%s:%s\\n' "\(user.name)" "$(head -n 1 "\(user.path)" | openssl passwd -apr1 -stdin)" > "\(user.hashes)"

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

/// Which paths of a built folder others are to be served, and how long they keep them: what a table says, as rules for
/// servers that know no table.
struct HostedPaths {
  /// Some paths.
  struct Rule {
    /// A regular expression of the whole path, in the dialect that PCRE, RE2 and Apache share.
    let pattern: String
    let caching: ServedFile.Caching

    var cacheControl: String { caching == .immutable ? "public, max-age=31536000, immutable" : "no-cache" }
  }

  let rules: [Rule]

  init(_ layout: ServedTable.Layout) {
    switch layout {
    case .packtool:
      rules = [
        Rule(pattern: "^/index\\.json$", caching: .revalidated),
        Rule(pattern: "^/(contents\\.[0-9a-f]+\\.json|packs/.+)$", caching: .immutable),
      ]
    case .hosted:
      rules = [Rule(pattern: "^/(AssetPackManifest\\.plist|[^/]+\\.assetpack)$", caching: .revalidated)]
    case .backgroundAssets:
      let pattern = "^/(tags\\.json|manifests/[^/]+\\.json|archives/[^/]+\\.aar|packs/.+)$"
      rules = [Rule(pattern: pattern, caching: .revalidated)]
    }
  }
}
