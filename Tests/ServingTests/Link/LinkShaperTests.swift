import Play
@testable import Serving
import Testing

/// Tests the exact times at which bytes arrive over a slow network.
///
/// At 8,000 bits per second, one byte arrives per millisecond.
@Suite struct LinkShaperTests {
  private let shaper = Self.shaper(NetworkProfile(bitsPerSecond: 8_000, latencyMicroseconds: 250_000))

  private static func shaper(_ network: NetworkProfile) -> LinkShaper {
    LinkShaper(network, longestSilence: 300)
  }

  @Test func `bytes arrive one after the other`() {
    #expect(shaper.latency == 0.25)
    #expect(shaper.transmit(byteCount: 1000, readyAt: 5, now: 5) == 6)
    // Another response waits until the network is free.
    #expect(shaper.transmit(byteCount: 500, readyAt: 5, now: 5) == 6.5)
    #expect(shaper.transmit(byteCount: 0, readyAt: 5, now: 6) == 6.5)
  }

  /// Only a new connection waits for the name of the server to be looked up.
  @Test func `a request waits for the latency`() {
    let network = NetworkProfile(
      bitsPerSecond: 8_000, latencyMicroseconds: 250_000, lookupMicroseconds: 3_000_000)
    let slow = Self.shaper(network)
    #expect(slow.latency == 0.25 && slow.lookup == 3 && !slow.losesAll)
    #expect(slow.firstByte(ofRequestAt: 10, afterSending: 1) == 10.25)
    #expect(slow.firstByte(ofRequestAt: 10, afterSending: 0) == 13.25)
    #expect(shaper.lookup == 0 && shaper.firstByte(ofRequestAt: 10, afterSending: 0) == 10.25)
    #expect(Self.shaper(.silent).losesAll)
  }

  @Test func `a stream that is not ready yet waits for itself`() {
    #expect(shaper.transmit(byteCount: 1000, readyAt: 5, now: 4) == 6)
    #expect(shaper.transmit(byteCount: 1000, readyAt: 9, now: 6) == 10)
  }

  /// If the machine was busy, a response is late.
  ///
  /// The response can make up for at most 200 ms of this delay.
  @Test func `what is late catches up for a while`() {
    #expect(shaper.transmit(byteCount: 1000, readyAt: 5, now: 5.125) == 6)
    #expect(shaper.transmit(byteCount: 1000, readyAt: 6, now: 9.2) == 10)
  }

  @Test func `pieces take about five milliseconds, and are not tiny`() {
    #expect(shaper.piece(of: 9_000) == 256 && shaper.piece(of: 9) == 9 && shaper.piece(of: 256) == 256)
    let fast = Self.shaper(NetworkProfile(bitsPerSecond: 8_000_000, latencyMicroseconds: 0))
    #expect(fast.piece(of: 1_000_000) == 5_000 && fast.piece(of: 5_001) == 5_000)
    #expect(fast.piece(of: 4_999) == 4_999)
  }
}
