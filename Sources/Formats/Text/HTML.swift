package import System

/// A piece of a page.
package typealias HTML = Written<HTMLForm>

/// HTML, or SVG inside it.
package enum HTMLForm: WrittenForm {
  /// The largest size in bytes of one escaped text.
  private static let maxTextSize = 2000

  /// The one way of text into a page: on one line, without markup, controls or hidden characters, and of at most 2,000
  /// bytes; a longer one loses its middle.
  package static func escaped(_ text: String) -> String { escaped(text, upTo: maxTextSize) }

  fileprivate static func escaped(_ text: String, upTo limit: Int) -> String {
    if text.utf8.count <= limit, text.utf8.allSatisfy(isPlain) { return text }
    let front = text.unicodeScalars.prefix(limit + 1)
    let pieces = front.map(escaped)
    // No scalar has less than one byte, so a longer text does not fit.
    if pieces.count <= limit, pieces.lazy.map(\.utf8.count).reduce(0, +) <= limit { return pieces.joined() }
    let half = (limit - 3) / 2
    let end = fitting(text.unicodeScalars.suffix(half).reversed().lazy.map(escaped), remaining: half)
      .reversed()
    return fitting(pieces, remaining: half).joined() + "…" + end.joined()
  }

  /// The first pieces that have room in some bytes.
  private static func fitting(_ pieces: some Sequence<String>, remaining: Int) -> [String] {
    var remaining = remaining
    return pieces.prefix { piece in
      remaining -= piece.utf8.count
      return remaining >= 0
    }
  }

  private static func isPlain(_ byte: UInt8) -> Bool {
    byte >= 0x20 && byte < 0x7f && !"<>&\"'".utf8.contains(byte)
  }

  private static func escaped(_ scalar: Unicode.Scalar) -> String {
    switch scalar {
    case "<": "&lt;"
    case ">": "&gt;"
    case "&": "&amp;"
    case "\"": "&quot;"
    case "'": "&#39;"
    case _ where scalar.isObeyedOrHidden: scalar.escape
    // HTML has no character for these, not even by their number.
    case _ where scalar.value & 0xfffe == 0xfffe: scalar.escape
    default: String(scalar)
    }
  }

  /// A number with at most one decimal, as coordinates are written.
  package static func text(of number: Double) -> String {
    guard number.isFinite, abs(number) < 1e12 else { return "0" }
    let tenths = Int((number * 10).rounded())
    let sign = tenths < 0 ? "-" : ""
    let (whole, rest) = (tenths.magnitude / 10, tenths.magnitude % 10)
    return rest == 0 ? "\(sign)\(whole)" : "\(sign)\(whole).\(rest)"
  }
}

/// A text of HTML as it is cut to another length.
private enum ShortForm: WrittenForm {
  static func escaped(_ text: String) -> String { text }
}

extension Written.Interpolation where Form == HTMLForm {
  /// Appends a text, escaped; of one that is then longer than some bytes the beginning and the end.
  package mutating func appendInterpolation(_ text: String, upTo limit: Int) {
    let short: Written<ShortForm> = "\(HTMLForm.escaped(text, upTo: limit))"
    appendInterpolation(HTML(short) { $0 })
  }
}

extension Written {
  /// The text as it is written to a file.
  package var bytes: ByteBuffer {
    var buffer = ByteBuffer()
    buffer.append(text)
    return buffer
  }
}

extension HTML {
  /// What the script of a page may fetch.
  package enum Connections: Sendable {
    case none
    /// Files of the server that sent the page.
    case ownServer
  }

  /// A whole page of one file: a title, one style, one script, and a policy that allows these two alone, and the
  /// connections.
  package static func page(
    title: String, style: StaticString, script: StaticString, body: HTML, connections: Connections = .none
  ) -> HTML {
    let more: HTML = connections == .ownServer ? "; connect-src 'self'" : ""
    // Nothing else is loaded, and no other script or style runs, not even one that got into the page.
    let own: HTML = "default-src 'none'; base-uri 'none'; form-action 'none'; "
    let policy = own + "style-src '\(hash(of: style))'; script-src '\(hash(of: script))'\(more)"
    return """
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
