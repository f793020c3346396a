/// The checks of load traces, and of the times that players wait.
extension Check {
  package static let simulationChecks: [Check] = [
    traceSyntax, traceElsewhere, missingScenario, slowInstall, stalls, transferSize, failedRequest,
    openRequest, allPreserved, uncompressedSizes, logSyntax,
  ]

  package static let traceSyntax = error(
    "trace-syntax", summary: "a trace of loads is none, or has a line that is none",
    explanation:
      "A line has the seconds, the scene and the path of a file that the app loads, divided by spaces, or by tabs where a "
      + "scene has spaces; or it is one of strace, inotifywait, fatrace or fs_usage. Lines that are none are left out, with "
      + "a warning; lines that begin with \"#\" are comments."
  )
  package static let traceElsewhere = error(
    "trace-elsewhere", summary: "no path of a trace names a file below the root",
    explanation:
      "The trace was recorded on another machine or of another app, so nothing can be suggested. Record a run here, or "
      + "replace the beginning of its paths by the root's.")
  package static let missingScenario = error(
    "missing-scenario", summary: "there is no scenario",
    explanation:
      "`packtool simulate` plays the steps of a scenario, a JSON file; `packtool schema scenario` says what it may "
      + "hold. Name one, or let --players make some.")
  package static let slowInstall = error(
    "slow-install", summary: "the app is installed later than the scenario expects",
    explanation:
      "The app and the packs of the initial install are downloaded before it can be started. Give tags that the "
      + "first minutes do without to the prefetch order, or use another link in the scenario.")
  package static let stalls = error(
    "stalls", summary: "a player waits more often or longer than the scenario expects",
    explanation:
      "A wait is an `await` for packs that have not arrived. Begin the request earlier, prefetch its tags, or split "
      + "its packs; `packtool simulate --advise` tries such changes.")
  package static let transferSize = error(
    "transfer-size", summary: "more is downloaded than the scenario expects",
    explanation:
      "All bytes that come over the link count: the app, packs that nothing used, and packs that were purged and "
      + "came again. The finding names what cost most.")
  package static let failedRequest = error(
    "failed-request", summary: "more requests fail than the scenario expects",
    explanation:
      "A request fails for a tag that no pack has, for more in use than the device allows, without a network, or "
      + "without space. The finding names the first that did.")
  package static let openRequest = note(
    "open-request", summary: "a scenario ends with requests that are still open",
    explanation:
      "The packs of an open request cannot be purged, however little space is left. End each request when the player "
      + "leaves its place; {\"quit\": true} as the last step closes all, as an app that ends does.")
  package static let allPreserved = warning(
    "all-preserved", summary: "a scenario preserves all tags at 1",
    explanation:
      "Packs are purged by their preservation priority, the lowest first. If all tags have the highest, the priority "
      + "protects none. Give it only to the few tags that players need again.")
  package static let uncompressedSizes = note(
    "uncompressed-sizes", summary: "a simulation counts packs uncompressed, as nothing is built",
    explanation:
      "Devices download archives, which are smaller than the files in them. Build, and name the built folder in the "
      + "manifest's place, to play with their sizes.")
  package static let logSyntax = error(
    "log-syntax", summary: "a log to replay is none, or has a line that is none",
    explanation:
      "`packtool simulate --replay LOG` reads what `packtool serve --log LOG` wrote: a JSON object on each line. Other "
      + "lines are left out, with a warning.")
}
