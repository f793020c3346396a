import Formats

/// The delivery mode of a pack: when devices download it.
///
/// The raw value is its name in an index.
package enum Delivery: String, Sendable, CaseIterable {
  /// The pack is downloaded together with the app.
  case initialInstall
  /// The pack is downloaded right after the app is installed.
  case prefetch
  /// The pack is downloaded when the app requests one of its tags.
  case onDemand

  /// The name of the delivery mode in tables.
  package var title: String {
    switch self {
    case .initialInstall: "initial install"
    case .prefetch: "prefetch"
    case .onDemand: "on demand"
    }
  }
}

extension Delivery {
  /// Returns a text for people about the delivery mode of a tag.
  ///
  /// If the tag is in no list, the text also states how many of its packs are downloaded earlier because of
  /// another tag. Without this number, a reader who sees "on demand" might count the bytes of these packs
  /// twice.
  package func title(ofPacks deliveries: [Delivery]) -> String {
    let earlier = deliveries.filter { $0 != .onDemand }
    guard self == .onDemand, let first = earlier.first else { return title }
    let isWhole = earlier.count == deliveries.count && earlier.allSatisfy { $0 == first }
    if isWhole { return "\(first.title), pulled in by another tag" }
    let packs = counted(deliveries.count, of: "pack")
    return "\(title), \(grouped(earlier.count)) of \(packs) pulled in by another tag"
  }
}

/// The two lists of tags in a manifest.
///
/// Each list is in the order in which devices download the packs of the tags.
package struct TagLists: Sendable, Hashable {
  /// The tags whose packs are downloaded together with the app.
  package var initialInstall: [String]
  /// The tags whose packs are downloaded right after the app is installed.
  package var prefetch: [String]

  package init(initialInstall: [String], prefetch: [String]) {
    (self.initialInstall, self.prefetch) = (initialInstall, prefetch)
  }

  package init(_ manifest: Manifest) {
    self.init(
      initialInstall: manifest.initialInstallTags.map(\.value),
      prefetch: manifest.prefetchTagOrder.map(\.value))
  }

  /// Returns the list of tags that have a delivery mode; empty for on-demand tags, which have no order.
  package func tags(of delivery: Delivery) -> [String] {
    switch delivery {
    case .initialInstall: initialInstall
    case .prefetch: prefetch
    case .onDemand: []
    }
  }

  /// Returns the lists without the tags that a release does not have.
  package func keeping(_ tags: [Release.Tag]) -> TagLists {
    let names = Set(tags.map(\.name))
    return TagLists(
      initialInstall: initialInstall.filter(names.contains), prefetch: prefetch.filter(names.contains))
  }
}

/// Decides the delivery mode and the download order of packs, based on the two lists of tags in a manifest.
package struct DeliveryOrder: Sendable {
  private let initialPlaces: [String: Int]
  private let prefetchPositions: [String: Int]
  private let prefetchCount: Int

  package init(initialInstallTags: [String], prefetchTagOrder: [String]) {
    initialPlaces = firstPositions(in: initialInstallTags)
    prefetchPositions = firstPositions(in: prefetchTagOrder)
    prefetchCount = prefetchTagOrder.count
  }

  package init(_ lists: TagLists) {
    self.init(initialInstallTags: lists.initialInstall, prefetchTagOrder: lists.prefetch)
  }

  package init(of manifest: Manifest) { self.init(TagLists(manifest)) }

  /// Returns the delivery mode of a pack with these tags.
  package func delivery(of tags: [String]) -> Delivery {
    if tags.contains(where: { initialPlaces[$0] != nil }) { return .initialInstall }
    if tags.contains(where: { prefetchPositions[$0] != nil }) { return .prefetch }
    return .onDemand
  }

  /// Returns Xcode's download priority of a pack, above 0 and up to 1; nil if the pack is on demand.
  package func priority(of tags: [String]) -> Double? {
    if delivery(of: tags) == .initialInstall { return 1 }
    guard let position = tags.compactMap({ prefetchPositions[$0] }).min() else { return nil }
    if prefetchCount == 1 { return 0.5 }
    let last = prefetchCount - 1
    return Double(last - position) / Double(last) * 0.9 + 0.05
  }

  /// Returns the position of the pack's first tag in the list that decides the order of its delivery mode.
  package func position(of tags: [String], for delivery: Delivery) -> Int {
    let places = delivery == .initialInstall ? initialPlaces : prefetchPositions
    return tags.compactMap { places[$0] }.min() ?? 0
  }
}

private func firstPositions(in list: [String]) -> [String: Int] {
  Dictionary(zip(list, 0...)) { first, _ in first }
}
