/// Checks of traces of loads.
extension Check {
  package static let traceChecks: [Check] = [traceSyntax]

  package static let traceSyntax = error(
    "trace-syntax", "a trace of loads is none, or has a line that is none",
    "A line has the seconds, the scene and the path of a file that the app loads, divided by spaces, or by tabs where a "
      + "scene has spaces. Lines that are none are left out, with a warning; lines that begin with \"#\" are comments."
  )
}
