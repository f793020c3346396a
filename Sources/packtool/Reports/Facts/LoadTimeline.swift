import Findings
import PackKit
import Projects
import Releases
import System

/// What is downloaded before anybody asks: the app, the initial install and the prefetch, one after the other.
struct LoadTimeline: Sendable {
  /// One download.
  struct Part: Sendable {
    let kind: Kind
    /// Bytes that come over the network before and after it.
    let from: Int64
    let to: Int64
    /// The number of packs up to its end, each of which waits for the link once.
    let packs: Int64
  }

  /// What a part is.
  enum Kind: Sendable, Hashable {
    case app
    /// A pack by its number in the release.
    case pack(Int)
  }

  /// When everything of a kind has come over one link, in microseconds.
  struct Link: Sendable {
    let name: String
    let link: NetworkLink
    /// The end of the app; nil where its size is not known.
    let app: Int64?
    let initialInstall: Int64
    let prefetch: Int64
  }

  let parts: [Part]
  let links: [Link]
  /// Bytes at the end of the app, of the initial install, and of all.
  let appEnd: Int64
  let initialEnd: Int64
  let end: Int64
  /// Whether packs count packed; the app always counts as it is.
  let isPacked: Bool

  /// The links of the timeline, slowest first.
  static let linkNames = ["3G", "LTE", "Wi-Fi"]

  init(_ release: Release, appSize: Int64?) {
    let order = release.order(of: .initialInstall) + release.order(of: .prefetch)
    let isPacked = !order.isEmpty && release.packedSize(of: order) != nil
    var parts: [Part] = []
    var place: Int64 = 0
    func add(_ kind: Kind, _ size: Int64) {
      let end = place.saturatingSum(with: size)
      parts.append(Part(kind: kind, from: place, to: end, packs: Int64(parts.count + 1)))
      place = end
    }
    if let appSize { add(.app, appSize) }
    appEnd = place
    for number in order {
      let pack = release.packs[number]
      add(.pack(number), isPacked ? pack.packedSize ?? pack.size : pack.size)
    }
    let initialCount = release.order(of: .initialInstall).count + (appSize == nil ? 0 : 1)
    let initialEnd = initialCount == 0 ? 0 : parts[initialCount - 1].to
    self.initialEnd = initialEnd
    self.parts = parts
    self.isPacked = isPacked
    end = place
    let (appEnd, end) = (appEnd, place)
    links = Self.linkNames.compactMap { name in
      NetworkLink.named(name).map { link in
        Link(
          name: name, link: link, app: appSize == nil ? nil : Self.time(appEnd, 1, link),
          initialInstall: Self.time(initialEnd, Int64(initialCount), link),
          prefetch: Self.time(end, Int64(parts.count), link))
      }
    }
  }

  /// Microseconds for bytes in some packs, each of which waits for its first byte.
  private static func time(_ bytes: Int64, _ packs: Int64, _ link: NetworkLink) -> Int64 {
    let (waiting, overflows) = packs.multipliedReportingOverflow(by: link.latency)
    return (link.time(for: bytes) ?? .max).saturatingSum(with: overflows ? .max : waiting)
  }
}
