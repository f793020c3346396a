import Formats
import Pipeline
package import Play
import Testing

/// A short notation for releases, steps and results.
///
/// The network transfers one megabyte per second, because times and sizes are then small numbers.
package enum ScenarioNotation {
  /// Reads a release.
  ///
  /// A pack such as `ab:3/2` consists of the tags, the size in megabytes and, if it differs, the size of the
  /// download. `app:5`, `initial:a,ab` and `prefetch:b` follow the packs. A `!` after a pack means that its
  /// contents are different.
  package static func release(_ text: String) throws -> SimulatedRelease {
    var release = SimulatedRelease(packs: [], initialInstall: [], prefetch: [])
    let words = text.split(separator: " ").map { $0.split(separator: ":", maxSplits: 1).map(String.init) }
    let lists = ["initial", "prefetch", "app"]
    release.packs = words.filter { !lists.contains($0[0]) }.map { pack($0[0], $0[1]) }
    func places(_ names: String) throws -> [Int] {
      try names.split(separator: ",").map { name in
        try #require(release.packs.firstIndex { $0.id == name })
      }
    }
    for word in words {
      switch word[0] {
      case "initial": release.initialInstall = try places(word[1])
      case "prefetch": release.prefetch = try places(word[1])
      case "app": release.appSize = millions(word[1])
      default: break
      }
    }
    return release
  }

  private static func pack(_ name: String, _ text: String) -> SimulatedRelease.Pack {
    let isOther = text.hasSuffix("!")
    let sizes = (isOther ? String(text.dropLast()) : text).split(separator: "/").map { millions(String($0)) }
    return SimulatedRelease.Pack(
      id: name, tags: name.map { String($0) }, size: sizes[0], transferSize: sizes[sizes.count - 1],
      contentID: isOther ? "other" : "same")
  }

  /// Returns a number in millionths: seconds as microseconds, or megabytes as bytes.
  package static func millions(_ text: String) -> Int64 { Int64((Double(text) ?? 0) * 1_000_000 + 0.5) }

  /// Reads a network, for example `8/1`: 8 megabits per second, and a latency of 1 second.
  package static func network(_ text: String) -> NetworkProfile? {
    let parts = text.split(separator: "/").map { millions(String($0)) }
    return parts.count == 2 ? NetworkProfile(bitsPerSecond: parts[0], latencyMicroseconds: parts[1]) : nil
  }

  /// Reads steps, for example `begin r ab 0.8; play 3; end r`.
  ///
  /// Each tag is one letter.
  package static func steps(_ text: String) -> [ScenarioStep.Action] {
    text.split(separator: ";").map { step in
      let words = step.split(separator: " ").map(String.init)
      let last = words[words.count - 1]
      return switch words[0] {
      case "install": .install
      case "begin":
        .begin(tags(words[2]), as: words[1], priority: words.count > 3 ? priority(last) : .standard)
      case "conditional": .conditional(tags(words[2]), as: words[1])
      case "await": .await(last)
      case "end": .end(last)
      case "priority": .priority(words[1], to: priority(last))
      case "preserve": .preserve(tags(words[1]), to: Double(last) ?? 0)
      case "play": .play(millions(last))
      case "link": .network(network(last))
      case "space": .space(millions(last))
      case "update": .update(last, .immediate)
      case "stage": .update(last, .staged)
      case "apply": .apply
      case "kill": .kill
      default: .quit
      }
    }
  }

  private static func tags(_ letters: String) -> [String] { letters.map { String($0) } }

  private static func priority(_ text: String) -> LoadingPriority {
    text == "urgent" ? .urgent : .level(Double(text) ?? 0)
  }

  /// Returns a result as text, for example `r 0>3>5 w2 | end 5 stalls 1/2 got 2 stored 2 use 2`.
  ///
  /// For each request, the text has the times at which the request began, was available and ended, and the
  /// time that the player waited for it. After the bar, it has the numbers of the summary that are not 0.
  package static func text(of result: SimulationResult) -> String {
    let requests = result.requests.map { request in
      let times = [request.began, request.available, request.ended].map { $0.map(decimal) ?? "-" }
      return "\(request.name) \(times.joined(separator: ">"))"
        + (request.waited > 0 ? " w\(decimal(request.waited))" : "")
        + (request.error.map { " !\($0.rawValue)" } ?? "")
    }
    return (requests.joined(separator: ", ") + " | " + text(of: result.summary))
  }

  private static func text(of summary: SimulationResult.Summary) -> String {
    var parts = ["end \(decimal(summary.end))"]
    if let installed = summary.installed { parts.append("installed \(decimal(installed))") }
    if summary.stalls > 0 { parts.append("stalls \(summary.stalls)/\(decimal(summary.stalled))") }
    if summary.transferred > 0 { parts.append("got \(decimal(summary.transferred))") }
    if summary.unused > 0 { parts.append("unused \(decimal(summary.unused))") }
    if summary.purges > 0 { parts.append("purges \(summary.purges)/\(decimal(summary.purged))") }
    if summary.overPurged > 0 { parts.append("over \(decimal(summary.overPurged))") }
    if summary.peakStored > 0 { parts.append("stored \(decimal(summary.peakStored))") }
    if summary.peakInUse > 0 { parts.append("use \(decimal(summary.peakInUse))") }
    if summary.errors > 0 { parts.append("errors \(summary.errors)") }
    return parts.joined(separator: " ")
  }

  private static func decimal(_ number: Int64) -> String {
    var text = String(number / 1_000_000)
    if number % 1_000_000 > 0 {
      var fraction = String(1_000_000 + number % 1_000_000).dropFirst()
      while fraction.last == "0" { fraction.removeLast() }
      text += "." + fraction
    }
    return text
  }
}
