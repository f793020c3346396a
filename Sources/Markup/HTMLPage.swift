import Findings
import System

/// A whole page of one file: a title, one style, one script, and a policy that allows these two and nothing else.
package struct HTMLPage: Sendable {
  private let title: String
  private let style: StaticString
  private let script: StaticString
  private let body: HTML
  private let reach: Reach

  /// The files that the page's script may load.
  package enum Reach: Sendable {
    case nothing
    /// The files of the server that sent the page.
    case ownServer
  }

  package init(
    title: String, style: StaticString, script: StaticString, body: HTML, reaches reach: Reach = .nothing
  ) {
    self.title = title
    self.style = style
    self.script = script
    self.body = body
    self.reach = reach
  }

  /// The policy: nothing else is loaded, and no other script or style runs, not even one that got into the page.
  private var policy: HTML {
    let more: HTML = reach == .ownServer ? "; connect-src 'self'" : ""
    let own: HTML = "default-src 'none'; base-uri 'none'; form-action 'none'; "
    return own + "style-src '\(Self.hash(of: style))'; script-src '\(Self.hash(of: script))'\(more)"
  }

  package var html: HTML {
    """
    <!DOCTYPE html>
    <html lang="en">
    <head>
    <meta charset="utf-8">
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
