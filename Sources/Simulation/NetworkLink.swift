import Findings
import Spelling

/// A link to the network as a device has it: how fast it is, and how long the first byte takes.
package struct NetworkLink: Sendable, Hashable {
  /// Bits per second, 1 or more.
  package let rate: Int64
  /// Microseconds from asking for a pack to its first byte.
  package let latency: Int64

  package init(rate: Int64, latency: Int64) {
    self.rate = rate
    self.latency = latency
  }

  /// A link that has a name.
  package struct Named: Sendable {
    package let name: String
    package let link: NetworkLink
  }

  /// The links that can be named, slowest first; after Apple's Network Link Conditioner and Chrome's DevTools.
  package static let all: [Named] = [
    Named(name: "Very Bad Network", link: NetworkLink(rate: 45_000, latency: 1_000_000)),
    Named(name: "Edge", link: NetworkLink(rate: 240_000, latency: 840_000)),
    Named(name: "3G", link: NetworkLink(rate: 780_000, latency: 200_000)),
    Named(name: "Slow 4G", link: NetworkLink(rate: 1_440_000, latency: 562_500)),
    Named(name: "DSL", link: NetworkLink(rate: 2_000_000, latency: 10_000)),
    Named(name: "Fast 4G", link: NetworkLink(rate: 8_100_000, latency: 165_000)),
    Named(name: "Wi-Fi", link: NetworkLink(rate: 40_000_000, latency: 2_000)),
    Named(name: "LTE", link: NetworkLink(rate: 50_000_000, latency: 115_000)),
    Named(name: "Wi-Fi 802.11ac", link: NetworkLink(rate: 250_000_000, latency: 2_000)),
  ]

  /// The name for no network at all.
  package static let noName = "none"

  /// The link of a name, whose case does not count; nil where there is none of it.
  package static func named(_ name: String) -> NetworkLink? {
    let lowered = name.lowercased()
    return all.first { $0.name.lowercased() == lowered }?.link
  }

  /// The name of a link; nil where it has none.
  package var name: String? { Self.all.first { $0.link == self }?.name }

  /// Bits of a byte times microseconds of a second.
  private static let scale: UInt64 = 8_000_000

  /// Microseconds that bytes take once they flow, rounded up; nil for more than can be counted.
  package func time(for bytes: Int64) -> Int64? {
    let product = UInt64(bytes).multipliedFullWidth(by: Self.scale)
    let rate = UInt64(rate)
    if product.high >= rate { return nil }
    let (quotient, remainder) = rate.dividingFullWidth(product)
    let (time, overflows) = quotient.addingReportingOverflow(remainder > 0 ? 1 : 0)
    return overflows ? nil : Int64(exactly: time)
  }
}

extension NetworkLink {
  /// Whether a name means no network at all; case is ignored.
  package static func isNone(_ name: String) -> Bool { name.lowercased() == noName }
}

/// The end of a message on a name that no link has: the nearest, or all.
package func linkHint(_ name: String) -> String {
  let names = NetworkLink.all.map(\.name) + [NetworkLink.noName]
  let near = nearest(to: name, in: names)
  return near == nil ? "; expected one of \(listed(names))" : suggestion(near)
}
