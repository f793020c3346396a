package import Play
import System

/// Simulates a slow network between the server and its clients.
///
/// All connections together share the network's rate, and each request is delayed by the network's latency.
/// Times are seconds of a monotonic clock. The server sends bytes at the time at which they would have
/// arrived over the network. `simulate` uses the same model.
package final class LinkShaper: Sendable {
  package let network: NetworkProfile
  /// The number of seconds after which the connection of an unanswered request is closed.
  ///
  /// Otherwise, too many such connections would stay open.
  package let longestSilence: Double
  /// The time when the network is free again.
  private let free = Monitor(0.0)

  /// If this machine was busy, a response can catch up on at most this delay in seconds.
  private static let maxLag = 0.2
  /// The approximate duration of one piece in seconds.
  ///
  /// If a client leaves, a piece of its response still takes up the network. So pieces are short.
  private static let pieceTime = 0.005

  package init(_ network: NetworkProfile, longestSilence: Double) {
    self.network = network
    self.longestSilence = longestSilence
  }

  package var latency: Double { Double(network.latency) / 1e6 }
  /// The number of seconds that a new connection first waits for the look-up of the server's name.
  package var lookup: Double { Double(network.lookup) / 1e6 }
  /// Whether the server accepts requests but never answers them.
  package var losesAll: Bool { network.losesAll }

  /// Returns the time of the first byte of a response to a request that was received at a given time.
  ///
  /// `sent` is the number of bytes that were sent on the connection before. If it is 0, the connection is new, and
  /// its client first had to look up the server's name.
  package func firstByte(ofRequestAt begun: Double, afterSending sent: Int64) -> Double {
    begun + latency + (sent == 0 ? lookup : 0)
  }

  /// Returns how many of the waiting bytes are sent together as one piece.
  package func piece(of count: Int) -> Int {
    min(count, max(256, Int(Double(network.rate) / 8 * Self.pieceTime)))
  }

  /// Reserves the network for bytes that became ready at a given time.
  ///
  /// Returns the time at which these bytes will have arrived.
  package func transmit(byteCount count: Int, readyAt ready: Double, now: Double) -> Double {
    free.change { free in
      free = max(free, ready, now - Self.maxLag) + Double(count) * 8 / Double(network.rate)
      return free
    }
  }
}
