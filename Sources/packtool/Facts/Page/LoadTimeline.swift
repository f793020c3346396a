import Findings
import PackKit
import Projects
import Simulation
import System

/// The downloads before any request: the app, the initial install and the prefetch, one after the other.
struct LoadTimeline: Sendable {
  /// One download.
  struct Part: Sendable {
    let kind: Kind
    /// Bytes, uncompressed as limits count them, before and after it.
    let from: Int64
    let to: Int64
  }

  /// The kind of a part.
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
  /// Whether times count packs packed; the app always counts as it is.
  let isPacked: Bool
  /// The class of devices whose downloads these are, the one with most; nil where all have the same.
  let device: DeviceClass?

  /// The links of the timeline, slowest first.
  static let linkNames = ["3G", "LTE", "Wi-Fi"]

  init(_ release: Release, on device: DeviceClass? = nil, appSize: Int64?) {
    self.device = device
    let order = release.order(of: .initialInstall) + release.order(of: .prefetch)
    let isPacked = !order.isEmpty && release.packedSize(of: order) != nil
    var parts: [Part] = []
    // What has come over the network after each part.
    var loaded: [Int64] = []
    func add(_ kind: Kind, _ size: Int64, loading: Int64) {
      let from = parts.last?.to ?? 0
      parts.append(Part(kind: kind, from: from, to: from.saturatingSum(with: size)))
      loaded.append((loaded.last ?? 0).saturatingSum(with: loading))
    }
    if let appSize { add(.app, appSize, loading: appSize) }
    for number in order {
      let pack = release.packs[number]
      add(.pack(number), pack.size, loading: isPacked ? pack.packedSize ?? pack.size : pack.size)
    }
    let appCount = appSize == nil ? 0 : 1
    let initialCount = release.order(of: .initialInstall).count + appCount
    func end(after count: Int) -> Int64 { count == 0 ? 0 : parts[count - 1].to }
    appEnd = end(after: appCount)
    initialEnd = end(after: initialCount)
    self.end = end(after: parts.count)
    func time(after count: Int, _ link: NetworkLink) -> Int64 {
      count == 0 ? 0 : Self.time(loaded[count - 1], Int64(count), link)
    }
    links = Self.linkNames.compactMap { name in
      NetworkLink.named(name).map { link in
        Link(
          name: name, link: link, app: appSize == nil ? nil : time(after: appCount, link),
          initialInstall: time(after: initialCount, link), prefetch: time(after: parts.count, link))
      }
    }
    self.parts = parts
    self.isPacked = isPacked
  }

  /// Microseconds for bytes in some packs, each of which waits for its first byte.
  private static func time(_ bytes: Int64, _ packs: Int64, _ link: NetworkLink) -> Int64 {
    let (waiting, overflows) = packs.multipliedReportingOverflow(by: link.latency)
    return (link.time(for: bytes) ?? .max).saturatingSum(with: overflows ? .max : waiting)
  }
}
