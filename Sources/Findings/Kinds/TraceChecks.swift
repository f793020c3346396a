/// Checks of traces of loads.
extension Check {
  package static let traceChecks: [Check] = [traceSyntax, traceElsewhere]

  package static let traceSyntax = error(
    "trace-syntax", "a trace of loads is none, or has a line that is none",
    "A line has the seconds, the scene and the path of a file that the app loads, divided by spaces, or by tabs where a "
      + "scene has spaces; or it is one of strace, inotifywait, fatrace or fs_usage. Lines that are none are left out, with "
      + "a warning; lines that begin with \"#\" are comments."
  )
  package static let traceElsewhere = error(
    "trace-elsewhere", "no path of a trace names a file below the root",
    "The trace was recorded on another machine or of another app, so nothing can be suggested. Record a run here, or "
      + "replace the beginning of its paths by the root's.")
}
