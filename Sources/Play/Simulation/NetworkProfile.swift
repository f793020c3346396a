import Formats

/// A network as a device sees it.
///
/// The network has a rate, a latency, and a time for looking up a name.
package struct NetworkProfile: Sendable, Hashable {
  /// The rate in bits per second, at least 1.
  package var rate: Int64
  /// The number of microseconds from the request for a pack to the pack's first byte.
  package var latency: Int64
  /// The number of microseconds that it takes to look up the server's name.
  ///
  /// Each new connection waits for the look-up first.
  package var lookup: Int64 = 0
  /// Whether the network accepts connections but never delivers a byte.
  package private(set) var losesAll = false

  package init(bitsPerSecond: Int64, latencyMicroseconds: Int64, lookupMicroseconds: Int64 = 0) {
    (self.rate, self.latency, self.lookup) = (bitsPerSecond, latencyMicroseconds, lookupMicroseconds)
  }

  /// A network that loses every packet.
  package static let silent = {
    var network = NetworkProfile(bitsPerSecond: 1, latencyMicroseconds: 0)
    network.losesAll = true
    return network
  }()

  /// All network profiles with a name, slowest first.
  ///
  /// The numbers are from Apple's Network Link Conditioner and Chrome's DevTools.
  ///
  /// Apple's "Very Bad Network" has 1 Mbit/s and a round trip of 1 s, and loses 10 % of the packets. With
  /// these numbers, TCP reaches about 45 kbit/s, according to Mathis's formula (segments of 11,680 bits, once
  /// a second, times 1.22 / √0.1). The profile uses this rate.
  package static let all: [Named] = [
    Named(name: "100% Loss", network: silent, isMobile: false),
    Named(
      name: "Very Bad Network",
      network: NetworkProfile(bitsPerSecond: 45_000, latencyMicroseconds: 1_000_000), isMobile: false),
    Named(
      name: "Edge", network: NetworkProfile(bitsPerSecond: 240_000, latencyMicroseconds: 840_000),
      isMobile: true),
    Named(
      name: "3G", network: NetworkProfile(bitsPerSecond: 780_000, latencyMicroseconds: 200_000),
      isMobile: true),
    Named(
      name: "Slow 4G", network: NetworkProfile(bitsPerSecond: 1_440_000, latencyMicroseconds: 562_500),
      isMobile: true),
    Named(
      name: "DSL", network: NetworkProfile(bitsPerSecond: 2_000_000, latencyMicroseconds: 10_000),
      isMobile: false),
    Named(
      name: "Fast 4G", network: NetworkProfile(bitsPerSecond: 8_100_000, latencyMicroseconds: 165_000),
      isMobile: true),
    Named(
      name: "High Latency DNS",
      network: NetworkProfile(
        bitsPerSecond: 40_000_000, latencyMicroseconds: 2_000, lookupMicroseconds: 3_000_000),
      isMobile: false),
    Named(
      name: "Wi-Fi", network: NetworkProfile(bitsPerSecond: 40_000_000, latencyMicroseconds: 2_000),
      isMobile: false),
    Named(
      name: "LTE", network: NetworkProfile(bitsPerSecond: 50_000_000, latencyMicroseconds: 115_000),
      isMobile: true),
    Named(
      name: "Wi-Fi 802.11ac", network: NetworkProfile(bitsPerSecond: 250_000_000, latencyMicroseconds: 2_000),
      isMobile: false),
  ]

  /// A network profile with its name.
  package struct Named: Sendable {
    package let name: String
    package let network: NetworkProfile
    /// Whether the profile stands for a mobile network.
    ///
    /// The store limits the size of an install over mobile networks.
    let isMobile: Bool
  }

  /// The name that stands for no network at all.
  package static let noName = "none"

  /// Returns the network profile with a name, ignoring case; nil if there is no such profile.
  package static func named(_ name: String) -> NetworkProfile? {
    let lowered = name.lowercased()
    return all.first { $0.name.lowercased() == lowered }?.network
  }

  /// The name of the network profile; nil if the network is not a profile with a name.
  package var name: String? { named?.name }

  /// Whether the network is the profile of a mobile network with a name.
  package var isCellular: Bool { named?.isMobile ?? false }

  private var named: Named? { Self.all.first { $0.network == self } }

  /// Returns the number of microseconds that the network needs to transfer some bytes after the transfer has
  /// started, rounded up; nil if the time cannot be represented.
  package func time(for bytes: Int64) -> Int64? {
    if losesAll { return nil }
    return Int64(exactly: (UInt128(bytes) * ActiveTransfer.parts + UInt128(rate) - 1) / UInt128(rate))
  }

  /// Whether a name stands for no network at all, ignoring case.
  package static func isNone(_ name: String) -> Bool { name.lowercased() == noName }
}

/// Returns the end of a message about an unknown network profile: the most similar name, or a list of all
/// `names`.
package func linkHint(
  _ name: String, among names: [String] = NetworkProfile.all.map(\.name) + [NetworkProfile.noName]
) -> String {
  if let near = nearest(to: name, in: names) { return suggestion(near) }
  // The last word of a profile, such as "4G", can belong to several profiles.
  let word = name.lowercased()
  let longer = names.filter { $0.lowercased().split(separator: " ").contains { $0 == word } }
  return longer.isEmpty
    ? "; expected one of \(listed(names))" : "; did you mean \(listedWithOr(longer.map { quoted($0) }))?"
}
