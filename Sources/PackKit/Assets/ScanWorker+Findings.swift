import Findings
import Formats
import System

/// The findings of a scan.
extension ScanWorker {
  mutating func report(_ check: Check, _ message: String, _ item: Item) {
    report(check, message, at: item.path, rules: item.rules)
  }

  mutating func report(
    _ check: Check, _ message: String, at path: [UInt8], rules: [RuleIndex.RuleID], severity: Severity? = nil
  ) {
    for rule in rules { findings.isUsed[Int(rule)] = true }
    let place = Place(joined(scanner.manifest.rootPath, escaped(bytes: path, upTo: 300)))
    findings.found.add(Diagnostic(check, message, at: place, severity: severity))
  }

  mutating func reportReplacedFolder(_ task: AssetScanner.Task) {
    report(
      .fileChanged,
      "something else took the place of the folder \(quoted(bytes: task.path)) while it was read; build again once "
        + "it rests", at: task.path, rules: task.state.inherited)
  }

  mutating func reportDeepFolder(_ path: [UInt8], rules: [RuleIndex.RuleID], isTagged: Bool) {
    let message =
      "the folder \(quoted(bytes: path)) is below \(grouped(AssetScan.deepestLevel)) others; what is in it is not read"
    report(.unreadableFile, message, at: path, rules: rules, severity: isTagged ? nil : .warning)
  }

  mutating func reportUnreadableFolder(
    _ path: [UInt8], rules: [RuleIndex.RuleID], isTagged: Bool
  ) {
    let message =
      "the folder \(quoted(bytes: path)) cannot be read: permission denied"
      + (isTagged ? "" : "; its files are not counted")
    report(.unreadableFile, message, at: path, rules: rules, severity: isTagged ? nil : .warning)
  }
}
