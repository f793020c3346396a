import Findings
import Formats
import System

/// Checks of sizes and counts against the limits.
extension PackCheck {
  package static let limits: [PackCheck] = [
    packSizes, packCount, submissions, initialInstallSize, prefetchSize, totalSize, appBundleSize, tagSizes,
    cellularSize,
  ]

  static let packSizes = PackCheck(.packSize) { input in
    guard let limit = input.limits.limit(.packSize) else { return [] }
    return input.release.packs.enumerated().flatMap { number, pack in
      let measure = Measure(
        .packSize, "the pack of \(setNotation(pack.tags))", pack.size,
        at: input.places.place(ofTags: pack.tags)
      )
      return measure.findings(against: limit) { input.split(number, $0) }
    }
  }

  static let packCount = PackCheck(.packCount) { input in
    guard case .count(let doubtful, let most) = input.limits.limit(.packCount) else { return [] }
    let count = input.release.packs.count
    let place = input.places.text.place(at: input.places.packs)
    let read = input.limits.readOn(.packCount)
    if count > most {
      let message =
        "the manifest makes \(counted(count, "pack")), \(grouped(count - most)) over the limit of \(grouped(most))\(read): "
        + "each set of tags that occurs is a pack; drop or merge tags"
      let notes = TagSetGrowth(of: input.release.packs.map(\.tags)).notes
      return [Diagnostic(.packCount, message, at: place, notes: notes, breaksStoreLimit: true)]
    }
    if doubtful < most, count >= doubtful {
      let message =
        "the manifest makes \(counted(count, "pack")), and some report that the store takes no more than "
        + "\(grouped(doubtful)), not the \(grouped(most)) of its documentation\(read); \"packtool plan --merge "
        + "\(doubtful)\" shows what fewer packs cost"
      return [Diagnostic(.packCount, message, at: place, severity: .warning)]
    }
    guard count > 0, doubtful - count <= doubtful / 10 else { return [] }
    let message = "the manifest makes \(counted(count, "pack")), \(room(below: doubtful, count, "limit"))"
    return [Diagnostic(.packCount, message, at: place, severity: .note)]
  }

  static let submissions = PackCheck(.submissionCount) { input in
    let count = input.release.packs.count
    guard let most = input.limits.profile.packsPerSubmission, count > 0 else { return [] }
    let submissions = (count - 1) / most + 1
    let message =
      "\(counted(count, "pack")) \(count == 1 ? "makes" : "make") \(counted(submissions, "submission")): the store takes "
      + "at most \(grouped(most)) packs in one\(input.limits.readOn)"
    return [
      Diagnostic(.submissionCount, message, at: input.places.text.place(at: input.places.packs))
    ]
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
    input.release.tags.flatMap { tag -> [Diagnostic] in
      let packs = tag.packs.count == 1 ? "" : " with its \(grouped(tag.packs.count)) packs"
      let subject = "the tag \(quoted(tag.name))\(packs)"
      let place = input.places.place(ofTags: [tag.name])
      return [(LimitKind.inUseSize, Check.inUseSize), (.tagSize, .tagSize)].flatMap { kind, check in
        guard let limit = input.limits.limit(kind) else { return [Diagnostic]() }
        return Measure(check, subject, tag.size, at: place).findings(against: limit) { _ in
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
      "a download over cellular, app bundle \(grouped(bundle)) and initial install "
        + "\(grouped(initial)) bytes,", bundle.saturatingSum(with: initial),
      at: input.places.text.place(at: input.places.appBundle))
    return measure.findings(against: limit) { _ in
      input.release.largestPacks(input.release.order(of: .initialInstall))
    }
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
  func findings(against limit: Limit, notes: (Int64) -> [Diagnostic.Note]) -> [Diagnostic] {
    guard case .size(let doubtful, let certain) = limit else { return [] }
    let what = check.isStoreLimit ? "limit" : "advised size"
    if size > certain {
      let message =
        "\(subject) is \(counted(size, "byte")), \(grouped(size - certain)) over the \(what) of \(grouped(certain))"
      return [
        Diagnostic(check, message, at: place, notes: notes(certain), breaksStoreLimit: check.isStoreLimit)
      ]
    }
    if size > doubtful {
      let message =
        "\(subject) is \(counted(size, "byte")), between the two readings of the \(what): \(grouped(doubtful)) "
        + "if MB is 10^6 bytes, \(grouped(certain)) if it is 2^20; Apple does not say which"
      return [Diagnostic(check, message, at: place, severity: .warning, notes: notes(doubtful))]
    }
    guard size > 0, doubtful - size <= doubtful / 10 else { return [] }
    let message = "\(subject) is \(counted(size, "byte")), \(room(below: doubtful, size, what))"
    return [Diagnostic(check, message, at: place, severity: .note)]
  }
}

/// The message on the remaining room below a limit.
private func room<Number: BinaryInteger>(below limit: Number, _ amount: Number, _ what: String) -> String {
  amount == limit
    ? "exactly the \(what)" : "\(grouped(limit - amount)) below the \(what) of \(grouped(limit))"
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
    let texts = largest.map { "\(setNotation(packs[$0].tags)) with \(counted(packs[$0].size, "byte"))" }
    return texts.isEmpty ? [] : [.init("the largest packs: \(texts.joined(separator: ", "))")]
  }
}
