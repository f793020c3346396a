/// The checks for load traces, and for the times that players wait.
extension Check {
  package static let simulationChecks: [Check] = [
    traceSyntax, traceElsewhere, missingScenario, slowInstall, stalls, transferSize, failedRequest,
    openRequest, allPreserved, uncompressedSizes, logSyntax,
  ]

  package static let traceSyntax = error(
    "trace-syntax", summary: "a file is not a trace, or has a line that packtool cannot read",
    explanation:
      "Each line has the seconds, the scene and the path of a file that the app loads, separated by spaces, "
      + "or by tabs if a scene has spaces. A line can also come from strace, inotifywait, fatrace or "
      + "fs_usage. packtool skips other lines with a warning; lines that begin with \"#\" are comments."
  )
  package static let traceElsewhere = error(
    "trace-elsewhere", summary: "no path in a trace names a file below the root",
    explanation:
      "The trace was recorded on another machine or with another app, so packtool cannot suggest anything. "
      + "Record a run here, or replace the beginning of its paths with the path of the root.")
  package static let missingScenario = error(
    "missing-scenario", summary: "no scenario is named",
    explanation:
      "`packtool simulate` plays the steps of a scenario, a JSON file; `packtool schema scenario` describes "
      + "its keys. Name a scenario, or let --players make some.")
  package static let slowInstall = error(
    "slow-install", summary: "the app is installed later than the scenario expects",
    explanation:
      "The app can start only after the app and the packs of the initial install are downloaded. Move tags "
      + "that players do not need in the first minutes to the prefetch order, or use another network profile "
      + "in the scenario.")
  package static let stalls = error(
    "stalls", summary: "a player waits more often or longer than the scenario expects",
    explanation:
      "A wait is an `await` for packs that have not arrived. Begin the request earlier, prefetch its tags, "
      + "or split its packs; `packtool simulate --advise` tries such changes.")
  package static let transferSize = error(
    "transfer-size", summary: "more is downloaded than the scenario expects",
    explanation:
      "All downloaded bytes count: those of the app, of packs that nothing used, and of packs that were "
      + "purged and downloaded again. The finding names the largest items.")
  package static let failedRequest = error(
    "failed-request", summary: "more requests fail than the scenario expects",
    explanation:
      "A request fails if no pack has its tag, if more bytes would be in use than the device allows, or if "
      + "there is no network or no space. The finding names the first request that failed.")
  package static let openRequest = note(
    "open-request", summary: "a scenario ends with requests that are still open",
    explanation:
      "A device cannot purge the packs of an open request, however little space is left. End each request "
      + "when the player leaves its place; {\"quit\": true} as the last step closes all requests, as "
      + "quitting the app does.")
  package static let allPreserved = warning(
    "all-preserved", summary: "a scenario preserves all tags at 1",
    explanation:
      "A device purges packs with the lowest preservation priority first. If all tags have the highest "
      + "priority, it protects none of them. Give it only to the few tags that players need again.")
  package static let uncompressedSizes = note(
    "uncompressed-sizes", summary: "a simulation uses uncompressed sizes because nothing is built",
    explanation:
      "Devices download archives, which are smaller than the files in them. To simulate with their sizes, "
      + "build, and name the built folder instead of the manifest.")
  package static let logSyntax = error(
    "log-syntax", summary: "a file is not a log of `serve`, or has a line that packtool cannot read",
    explanation:
      "`packtool simulate --replay LOG` reads what `packtool serve --log LOG` wrote: a JSON object on each "
      + "line. packtool skips other lines with a warning.")
}
