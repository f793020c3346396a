package import Play
import System

/// A slow network in front of the server: all connections together get its rate, each request waits for its latency.
///
/// Times are seconds of a monotonic clock. What is sent is let go when it would have arrived, as `simulate` counts.
package final class LinkShaper: Sendable {
  package let network: NetworkProfile
  /// When the link is free again.
  private let free = Monitor(0.0)

  /// How far behind its time a stream may be and catch up, when this machine was busy.
  private static let maxLag = 0.2
  /// How long a piece takes about.
  private static let pieceTime = 0.02

  package init(_ network: NetworkProfile) { self.network = network }

  package var latency: Double { Double(network.latency) / 1e6 }
  /// How long a new connection waits first, for the server's name.
  package var lookup: Double { Double(network.lookup) / 1e6 }
  /// Whether requests are taken and never answered.
  package var losesAll: Bool { network.losesAll }
  /// How long a request rests that is never answered; then its connection is closed, so that few of them are open.
  package static let longestSilence = 300.0

  /// How many of the bytes that are to be sent are sent in one piece.
  package func piece(of count: Int) -> Int {
    min(count, max(256, Int(Double(network.rate) / 8 * Self.pieceTime)))
  }

  /// Takes the link for some bytes of a stream that was ready at a time; returns when they have arrived.
  package func transmit(byteCount count: Int, readyAt ready: Double, now: Double) -> Double {
    free.change { free in
      free = max(free, ready, now - Self.maxLag) + Double(count) * 8 / Double(network.rate)
      return free
    }
  }
}
