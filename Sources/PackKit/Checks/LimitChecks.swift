import Findings
import Formats
import System

/// Checks of sizes and counts against the limits.
extension PackCheck {
  package static let limits: [PackCheck] = [
    packSizes, packCount, initialInstallSize, prefetchSize, totalSize, appBundleSize, tagSizes, cellularSize,
  ]

  static let packSizes = PackCheck(.packSize) { input in
    guard let limit = input.limits.limit(.packSize) else { return [] }
    let reading = Reading(of: limit, for: input.release.packs.map(\.size))
    return input.release.packs.enumerated().flatMap { number, pack in
      let measure = Measure(
        .packSize, "the pack of \(setNotation(pack.tags))", pack.size,
        at: input.places.place(ofTags: pack.tags)
      )
      return measure.findings(against: limit, reading) { input.split(number, $0) }
    }
  }

  static let packCount = PackCheck(.packCount) { input in
    guard case .count(let most) = input.limits.limit(.packCount) else { return [] }
    let count = input.release.packs.count
    let place = input.places.text.place(at: input.places.packs)
    if count > most {
      let message =
        "the manifest makes \(counted(count, "pack")), \(grouped(count - most)) over the limit of \(grouped(most)): "
        + "each set of tags that occurs is a pack; drop or merge tags"
      let notes = TagSetGrowth(of: input.release.packs.map(\.tags)).notes
      return [Diagnostic(.packCount, message, at: place, notes: notes, breaksStoreLimit: true)]
    }
    guard count > 0, most - count <= most / 10 else { return [] }
    let message =
      "the manifest makes \(counted(count, "pack")), \(room(below: most, count, "limit") { grouped($0) })"
    return [Diagnostic(.packCount, message, at: place, severity: .note)]
  }

  static let initialInstallSize = PackCheck(.initialInstallSize) { input in
    input.findings(
      .initialInstallSize, "the initial install", [.initialInstall],
      listedAs: .initialInstall)
  }

  static let prefetchSize = PackCheck(.prefetchSize) { input in
    input.findings(
      .prefetchSize, "the initial install with the prefetch order", [.initialInstall, .prefetch],
      listedAs: .prefetch)
  }

  static let totalSize = PackCheck(.totalSize) { input in
    input.findings(.totalSize, "the sum of all packs", Delivery.allCases, listedAs: .onDemand)
  }

  static let appBundleSize = PackCheck(.appBundleSize) { input in
    guard let limit = input.limits.limit(.appBundleSize), let size = input.appBundleSize else { return [] }
    let measure = Measure(
      .appBundleSize, "the app bundle", size, at: input.places.text.place(at: input.places.appBundle))
    return measure.findings(against: limit) { _ in [] }
  }

  static let tagSizes = PackCheck(.tagSize, .inUseSize) { input in
    let sizes = input.release.tags.map(\.size)
    let limits = [(LimitKind.inUseSize, Check.inUseSize), (.tagSize, .tagSize)].compactMap { kind, check in
      input.limits.limit(kind).map { (check: check, limit: $0, reading: Reading(of: $0, for: sizes)) }
    }
    return input.release.tags.flatMap { tag -> [Diagnostic] in
      let packs = tag.packs.count == 1 ? "" : " with its \(grouped(tag.packs.count)) packs"
      let subject = "the tag \(quoted(tag.name))\(packs)"
      let place = input.places.place(ofTags: [tag.name])
      return limits.flatMap { check, limit, reading in
        Measure(check, subject, tag.size, at: place).findings(against: limit, reading) { _ in
          tag.packs.count == 1 ? [] : input.release.largestPacks(tag.packs)
        }
      }
    }
  }

  static let cellularSize = PackCheck(.cellularSize) { input in
    guard let limit = input.limits.limit(.cellularSize), let bundle = input.appBundleSize else { return [] }
    let initial = input.release.count(of: .initialInstall).size
    let measure = Measure(
      .cellularSize,
      "a first download over cellular, app bundle \(ByteSize.number(bundle)) and initial install "
        + "\(ByteSize.exact(initial)),", bundle.saturatingSum(with: initial),
      at: input.places.text.place(at: input.places.appBundle))
    return measure.findings(against: limit) { most in
      bundle > most
        ? [.init("the app bundle alone is over it: give resources of the app tags that are downloaded later")]
        : input.release.largestPacks(input.release.order(of: .initialInstall))
    }
  }
}

/// How a run reads MB in the room below a limit: as Apple's limit may be, or as what exceeds it was measured by.
private enum Reading {
  case decimal
  case binary

  /// One reading for all sizes that are held to a limit.
  init(of limit: Limit, for sizes: [Int64]) {
    guard case .size(let doubtful, _) = limit else {
      self = .decimal
      return
    }
    self = sizes.contains { $0 > doubtful } ? .binary : .decimal
  }
}

/// A size to be checked against a limit.
private struct Measure {
  private let check: Check
  /// The beginning of the message: what is measured.
  private let subject: String
  private let size: Int64
  private let place: Place

  init(_ check: Check, _ subject: String, _ size: Int64, at place: Place) {
    self.check = check
    self.subject = subject
    self.size = size
    self.place = place
  }

  /// Findings on a size above both readings of MB, between them, or from 90 % on.
  ///
  /// `notes` lists the largest parts, given the exceeded limit.
  func findings(
    against limit: Limit, _ reading: Reading = .decimal, notes: (Int64) -> [Diagnostic.Note]
  ) -> [Diagnostic] {
    guard case .size(let doubtful, let certain) = limit else { return [] }
    let what = check.isStoreLimit ? "limit" : "advised size"
    if size > certain {
      let message =
        "\(subject) is \(ByteSize.exact(size)), \(ByteSize.number(size - certain)) over the \(what) of "
        + ByteSize.number(certain)
      return [
        Diagnostic(check, message, at: place, notes: notes(certain), breaksStoreLimit: check.isStoreLimit)
      ]
    }
    if size > doubtful {
      let message =
        "\(subject) is \(ByteSize.exact(size)), between the two readings of the \(what): \(grouped(doubtful)) "
        + "if MB is 10^6 bytes, \(grouped(certain)) if it is 2^20; Apple does not say which"
      return [Diagnostic(check, message, at: place, severity: .warning, notes: notes(doubtful))]
    }
    guard size > 0, doubtful - size <= doubtful / 10 else { return [] }
    let most = reading == .binary ? certain : doubtful
    let message = "\(subject) is \(ByteSize.exact(size)), \(room(below: most, size, what, ByteSize.number))"
    return [Diagnostic(check, message, at: place, severity: .note)]
  }
}

/// The message on the remaining room below a limit.
private func room<Number: BinaryInteger>(
  below limit: Number, _ amount: Number, _ what: String, _ text: (Number) -> String
) -> String {
  amount == limit
    ? "exactly the \(what)" : "\(text(limit - amount)) below the \(what) of \(text(limit))"
}

extension PackCheck.Input {
  /// Findings about the total of some deliveries, placed at the tag of a list at which the limit is exceeded.
  fileprivate func findings(
    _ check: Check, _ subject: String, _ deliveries: [Delivery], listedAs last: Delivery
  ) -> [Diagnostic] {
    guard let kind = LimitKind(check: check), let limit = limits.limit(kind) else { return [] }
    let list = places.lists[last] ?? []
    let size = deliveries.saturatingSum { release.count(of: $0).size }
    let earlier = size - release.count(of: last).size
    var place = places.text.place(at: list.first?.offset ?? places.packs)
    var notes: [Diagnostic.Note] = []
    if case .size(let doubtful, let certain) = limit, size > doubtful, !list.isEmpty {
      let room = (size > certain ? certain : doubtful) - earlier
      if room < 0 {
        notes = [.init("the initial install alone is over it: nothing can be prefetched")]
      } else if let index = firstTag(of: list, in: last, passing: room) {
        let name = quoted(list[index].value)
        place = places.text.place(at: list[index].offset)
        notes = [
          index == 0
            ? .init("not even the packs of the first tag, \(name), fit")
            : .init("all fits up to the tag \(quoted(list[index - 1].value)); the packs of \(name) do not")
        ]
      }
    }
    let packs = release.packs.indices.filter { deliveries.contains(release.packs[$0].delivery) }
    return Measure(check, subject, size, at: place).findings(against: limit) { _ in
      notes + release.largestPacks(packs)
    }
  }

  /// The index of the first tag in a list at which the packs of a delivery exceed `room`.
  private func firstTag(
    of list: [Located<String>], in delivery: Delivery, passing room: Int64
  ) -> Int? {
    var size: Int64 = 0
    var tagsSoFar: Set<String> = []
    var waiting = release.order(of: delivery)[...]
    for (index, tag) in list.enumerated() {
      tagsSoFar.insert(tag.value)
      // The packs are in the order of their first tag in the list.
      while let next = waiting.first, release.packs[next].tags.contains(where: tagsSoFar.contains) {
        size = size.saturatingSum(with: release.packs[next].size)
        waiting.removeFirst()
      }
      if size > room { return index }
    }
    return nil
  }
}

extension LimitKind {
  fileprivate init?(check: Check) {
    switch check {
    case .initialInstallSize: self = .initialInstallSize
    case .prefetchSize: self = .prefetchSize
    case .totalSize: self = .totalSize
    default: return nil
    }
  }
}

extension Release {
  /// A note with the largest packs.
  fileprivate func largestPacks(_ numbers: [Int]) -> [Diagnostic.Note] {
    let largest = numbers.sorted { (packs[$1].size, $0) < (packs[$0].size, $1) }.prefix(3)
    let texts = largest.map { "\(setNotation(packs[$0].tags)) with \(ByteSize.exact(packs[$0].size))" }
    return texts.isEmpty ? [] : [.init("the largest packs: \(texts.joined(separator: ", "))")]
  }
}
