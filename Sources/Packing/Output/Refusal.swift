import Formats

/// An error that prevents a build from writing or publishing anything.
struct Refusal: Error, CustomStringConvertible {
  let diagnostic: Diagnostic

  init(_ check: Check, message: String, at path: String) {
    diagnostic = Diagnostic(check, message: message, at: Place(path))
  }

  var description: String { diagnostic.message }
}
