import System

extension HTML {
  /// The element with which packtool recognizes its own pages.
  package static let generatorMark: StaticString = "<meta name=\"generator\" content=\"packtool\">"

  /// The servers from which the script of a page may fetch data.
  package enum Connections: Sendable {
    case none
    /// The server that sent the page.
    case ownServer
  }

  /// Returns a whole page in one file: a title, one style sheet and one script.
  ///
  /// The page has a security policy that allows only this style sheet, this script and the given connections.
  package static func page(
    title: String, style: StaticString, script: StaticString, body: HTML, connections: Connections = .none
  ) -> HTML {
    let more: HTML = connections == .ownServer ? "; connect-src 'self'" : ""
    // The page loads nothing from elsewhere, and no other script or style runs, not even one that was
    // injected into the page.
    let own: HTML = "default-src 'none'; base-uri 'none'; form-action 'none'; "
    let policy = own + "style-src '\(hash(of: style))'; script-src '\(hash(of: script))'\(more)"
    return """
      <!DOCTYPE html>
      <html lang="en">
      <head>
      <meta charset="utf-8">
      \(HTML(stringLiteral: generatorMark))
      <meta http-equiv="Content-Security-Policy" content="\(policy)">
      <meta name="viewport" content="width=device-width, initial-scale=1">
      <meta name="color-scheme" content="light dark">
      <title>\(title)</title>
      <style>\(HTML(stringLiteral: style))</style>
      </head>
      <body>
      \(body)
      <script>\(HTML(stringLiteral: script))</script>
      </body>
      </html>

      """
  }

  private static func hash(of text: StaticString) -> String {
    "sha256-\(Base64.text(of: SHA256.digest(of: Array(text.description.utf8)).bytes))"
  }
}
