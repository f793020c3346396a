/// The checks for load traces, and for the times that players wait.
extension Check {
  package static let simulationChecks: [Check] = [
    traceSyntax, traceElsewhere, missingScenario, slowInstall, stalls, transferSize, failedRequest,
    openRequest, allPreserved, uncompressedSizes, logSyntax,
  ]

  package static let traceSyntax = error(
    "trace-syntax", summary: "a file is not a trace, or has a line that packtool cannot read",
    explanation:
      "Each line contains the time in seconds, the scene, and the path of a file that the app loads. They "
      + "are separated by spaces, or by tabs if the name of a scene has spaces. A line can also be output of "
      + "strace, inotifywait, fatrace or fs_usage. packtool skips other lines with a warning. Lines that "
      + "begin with \"#\" are comments."
  )
  package static let traceElsewhere = error(
    "trace-elsewhere", summary: "a trace has no path of a file below the root",
    explanation:
      "The trace was recorded on another machine or with another app, so packtool cannot suggest anything. "
      + "Record a run on this machine, or replace the beginning of the paths in the trace with the path of "
      + "the root.")
  package static let missingScenario = error(
    "missing-scenario", summary: "no scenario is named",
    explanation:
      "`packtool simulate` plays the steps of a scenario, which is a JSON file. `packtool schema scenario` "
      + "describes its keys. Name a scenario, or let --players generate scenarios.")
  package static let slowInstall = error(
    "slow-install", summary: "the app is installed later than the scenario expects",
    explanation:
      "A player can start the app only after the app and the packs of the initial install are downloaded. "
      + "Move tags that players do not need in the first minutes to the prefetch order, or use a faster "
      + "network profile in the scenario.")
  package static let stalls = error(
    "stalls", summary: "a player waits more often or for longer than the scenario expects",
    explanation:
      "A player waits if a step `await` needs packs that have not arrived. Begin the request earlier, "
      + "prefetch its tags, or split its packs. `packtool simulate --advise` tries such changes.")
  package static let transferSize = error(
    "transfer-size", summary: "the app downloads more bytes than the scenario expects",
    explanation:
      "The number includes all downloaded bytes: the app, packs that the player never used, and packs that "
      + "were purged and downloaded again. The finding lists the largest items.")
  package static let failedRequest = error(
    "failed-request", summary: "more requests fail than the scenario expects",
    explanation:
      "A request fails if no pack has its tag, if more bytes would be in use than the device allows, or if "
      + "there is no network or no free space. The finding names the first request that failed.")
  package static let openRequest = note(
    "open-request", summary: "a scenario ends with requests that are still open",
    explanation:
      "A device cannot purge the packs of an open request, even if very little space is left. End each "
      + "request when the player leaves the part of the app that needs it. If the last step is {\"quit\": "
      + "true}, all requests end, as when a player quits the app.")
  package static let allPreserved = warning(
    "all-preserved", summary: "a scenario gives all tags the preservation priority 1",
    explanation:
      "A device first purges packs with the lowest preservation priority. If all tags have the highest "
      + "priority, the priority protects none of them. Give the highest priority only to the few tags that "
      + "players need again.")
  package static let uncompressedSizes = note(
    "uncompressed-sizes", summary: "a simulation uses uncompressed sizes, because no packs are built",
    explanation:
      "Devices download archives, which are smaller than the files in them. To simulate with the sizes of "
      + "archives, build the packs, and name the built folder instead of the manifest.")
  package static let logSyntax = error(
    "log-syntax", summary: "a file is not a log of `serve`, or has a line that packtool cannot read",
    explanation:
      "`packtool simulate --replay LOG` reads a log that `packtool serve --log LOG` wrote. Each line of the "
      + "log is a JSON object. packtool skips other lines with a warning.")
}
