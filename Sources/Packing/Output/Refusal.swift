import Formats

/// Why nothing is built or published.
struct Refusal: Error, CustomStringConvertible {
  let diagnostic: Diagnostic

  init(_ check: Check, message: String, at path: String) {
    diagnostic = Diagnostic(check, message: message, at: Place(path))
  }

  var description: String { diagnostic.message }
}
