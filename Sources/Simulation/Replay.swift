import Published
import System

/// The downloads of a log, asked for at the same times of a link that works as simulations have it.
package struct Replay: Sendable {
  /// One download.
  package struct Download: Sendable {
    /// The pack's identifier.
    package let pack: String
    package let tags: [String]
    package let bytes: Int64
    /// Microseconds since the first download was asked for.
    package let began: Int64
    /// Microseconds that it took.
    package let measured: Int64
    /// Microseconds that it takes in the model.
    package let modelled: Int64
  }

  package let link: NetworkLink
  /// In the order in which they were asked for.
  package let downloads: [Download]

  /// Plays the downloads of a log on a link, each as a request for a pack of its own.
  ///
  /// Nil where the numbers of the log are more than can be counted.
  package init?(_ log: RequestLogReader, on link: NetworkLink) {
    let asked = log.downloads
    guard let first = asked.first else { return nil }
    let packs = asked.enumerated().map { number, download in
      SimulatedRelease.Pack(
        id: "\(number)", tags: ["\(number)"], size: download.bytes, transfer: download.bytes, content: "")
    }
    var actions: [ScenarioStep.Action] = []
    var time = first.time
    for (number, download) in asked.enumerated() {
      if download.time > time { actions.append(.play(download.time - time)) }
      time = download.time
      actions.append(.begin(["\(number)"], as: "\(number)", .standard))
    }
    actions += asked.indices.map { .await("\($0)") }
    let scenario = Scenario(link: link, device: SimulatedDevice(inUse: .max), doing: actions)
    guard let table = PackTable(SimulatedRelease(packs: packs, initialInstall: [], prefetch: [])),
      let result = try? Simulation.run(scenario, on: table)
    else { return nil }
    self.link = link
    downloads = zip(asked, result.requests).map { download, request in
      Download(
        pack: download.pack, tags: download.tags, bytes: download.bytes, began: download.time - first.time,
        measured: download.duration, modelled: (request.available ?? request.began) - request.began)
    }
  }

  /// Bytes of all downloads.
  package var size: Int64 { downloads.saturatingSum(\.bytes) }

  /// Microseconds from the first request to the end of the last download, as they were measured.
  package var measured: Int64 { end(\.measured) }
  /// The same in the model.
  package var modelled: Int64 { end(\.modelled) }

  private func end(_ duration: (Download) -> Int64) -> Int64 {
    downloads.map { $0.began.saturatingSum(with: duration($0)) }.max() ?? 0
  }
}
