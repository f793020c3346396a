import Findings

/// Text for XML and HTML that is safe between tags and in attributes with double quotes.
package func xmlEscaped(_ text: String) -> String {
  text.unicodeScalars.map { scalar in
    switch scalar {
    case "&": "&amp;"
    case "<": "&lt;"
    case ">": "&gt;"
    case "\"": "&quot;"
    case "\n": "&#10;"
    case "\t": "&#9;"
    // XML 1.0 cannot represent these, not even escaped.
    case _ where scalar.value < 0x20 || scalar.value == 0xfffe || scalar.value == 0xffff: "\u{fffd}"
    default: String(scalar)
    }
  }.joined()
}
