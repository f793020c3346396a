import Formats
import Model
import System

/// Checks of sizes and counts against the limits.
extension PackCheck {
  package static let limits: [PackCheck] = [
    raisedLimits, packSizes, packCount, submissions, initialInstallSize, prefetchSize, xcodePrefetch,
    totalSize,
    variantSize, appBundleSize, contradictedAppSize, tagSizes, cellularSize, uncheckedLimits,
  ]

  /// Creates a check that compares sizes with limits for each device class.
  private static func perDevice(
    _ kinds: Check..., measuring measures: @escaping @Sendable (Input) -> [LimitComparison]
  ) -> PackCheck {
    PackCheck(kinds) { input in LimitComparison.findings(in: input, measures: measures) }
  }

  /// Creates a check of the total size of all variants, because the store hosts the variants for all devices.
  private static func ofAllDevices(
    _ kinds: Check..., measuring measures: @escaping @Sendable (Input) -> [LimitComparison]
  ) -> PackCheck {
    PackCheck(kinds) { input in LimitComparison.findings(in: input.ofAllDevices, measures: measures) }
  }

  static let raisedLimits = PackCheck(.raisedLimit) { input in
    input.limits.raisedKinds.filter(\.check.isStoreLimit).compactMap { kind in
      guard let override = input.limits.overrides[kind], let own = input.limits.profile.limits[kind] else {
        return nil
      }
      func text(_ value: Int64) -> String { kind == .packCount ? grouped(value) : ByteSize.number(value) }
      // A limit in MB has two interpretations: decimal and binary. A size between them exceeds the lower one.
      let raised =
        override.limit.map { $0.certain <= own.certain ? own.doubtful : own.certain } ?? own.certain
      let what = override.limit.map { "is \(text($0.certain)), which is above" } ?? "is null, which removes"
      let message =
        "\(quoted(kind.rawValue)) \(what) the limit of the profile \(quoted(input.limits.profile.name)): "
        + "\(text(raised))"
      return Diagnostic(
        .raisedLimit, message: message, at: input.place(at: override.offset),
        measurement: override.limit.map { .init($0.certain, limit: raised) })
    }
  }

  static let packSizes = perDevice(.packSize) { input in
    guard let limit = input.limits.limit(.packSize) else { return [] }
    return input.release.packs.enumerated().map { number, pack in
      LimitComparison(
        .packSize, subject: "the pack of \(setNotation(pack.tags))", size: pack.size, limit: limit,
        at: input.place(ofTags: pack.tags)
      ) { input.split(number, $0) }
    }
  }

  static let packCount = PackCheck(.packCount) { input in
    guard let limit = input.limits.limit(.packCount) else { return [] }
    let (doubtful, allowed) = (limit.doubtful, limit.certain)
    let count = Int64(input.release.packs.count)
    let place = input.place()
    let read = input.limits.readOn(.packCount)
    if count > allowed {
      let message =
        "the manifest makes \(counted(count, of: "pack")), \(grouped(count - allowed)) more than the limit "
        + "of \(grouped(allowed))\(read): each combination of tags that a file has is a pack; remove or "
        + "combine tags"
      let notes = TagSetGrowth(of: input.release.packs.map(\.tags)).notes
      return [
        Diagnostic(
          .packCount, message: message, at: place, notes: notes, measurement: .init(count, limit: allowed),
          severityRule: .breaksStoreLimit)
      ]
    }
    if doubtful < allowed, count >= doubtful {
      let message =
        "the manifest makes \(counted(count, of: "pack")); some developers report that the store accepts no "
        + "more than \(grouped(doubtful)) packs, although its documentation allows "
        + "\(grouped(allowed))\(read); \"packtool plan --merge \(doubtful)\" shows the cost of fewer packs"
      return [
        Diagnostic(
          .packCount, message: message, at: place, severity: .warning,
          measurement: .init(count, limit: doubtful))
      ]
    }
    guard count > 0, doubtful - count <= doubtful / 10 else { return [] }
    let message =
      "the manifest makes \(counted(count, of: "pack")), \(headroomText(below: doubtful, used: count, limitName: "limit") { grouped($0) })"
    return [
      Diagnostic(
        .packCount, message: message, at: place, severity: .note, measurement: .init(count, limit: doubtful))
    ]
  }

  static let submissions = PackCheck(.submissionCount) { input in
    let count = input.release.packs.count
    guard let allowed = input.limits.profile.packsPerSubmission, count > 0 else { return [] }
    let submissions = (count - 1) / allowed + 1
    let message =
      "\(counted(count, of: "pack")) \(count == 1 ? "needs" : "need") "
      + "\(counted(submissions, of: "submission")): the store accepts at most \(grouped(allowed)) packs in "
      + "one submission\(input.limits.readOn)"
    return [Diagnostic(.submissionCount, message: message, at: input.place())]
  }

  static let initialInstallSize = perDevice(.initialInstallSize) { input in
    input.measures(
      .initialInstallSize, check: .initialInstallSize, subject: "the initial install",
      deliveries: [.initialInstall],
      listedAs: .initialInstall)
  }

  static let prefetchSize = perDevice(.prefetchSize) { input in
    input.measures(
      .prefetchSize, check: .prefetchSize, subject: "the total size of the initial install and the prefetch",
      deliveries: [.initialInstall, .prefetch], listedAs: .prefetch)
  }

  /// Xcode writes a limit of 2 GiB (`limitUncompressedInitialPrefetchedODR`) into its exports, and warns if
  /// the initial install and the prefetch are larger.
  static let xcodePrefetch = PackCheck(.xcodePrefetch) { input in
    let releases = input.slices.isEmpty ? [input.release] : input.slices.map(\.release)
    let sizes = releases.map { release in
      release.sizeOnDevice(of: .initialInstall, .prefetch)
    }
    guard let allowed = input.limits.profile.xcodeWarning, let size = sizes.max(), size > allowed else {
      return []
    }
    // Above the limit of the store, the finding about that limit contains its exact number.
    let store = size <= 4_000_000_000 ? "; the store accepts 4 GB" : ""
    let message =
      "the total size of the initial install and the prefetch is \(ByteSize.exact(size)), but Xcode warns "
      + "above \(ByteSize.number(allowed))\(store)"
    let list = input.manifest.prefetchTagOrder.first ?? input.manifest.initialInstallTags.first
    let place = list.map { input.place(at: $0.offset) } ?? input.place()
    return [Diagnostic(.xcodePrefetch, message: message, at: place, measurement: .init(size, limit: allowed))]
  }

  /// The universal app variant contains all packs.
  ///
  /// Before iOS 18, the limit for all packs together is not higher than the limit for one app variant.
  static let variantSize = ofAllDevices(.variantSize) { input in
    guard let allowed = input.limits.profile.variantSize else { return [] }
    let size = Delivery.allCases.saturatingSum { input.release.count(of: $0).size }
    let subject = "the universal variant, which contains all packs,"
    return [LimitComparison(.variantSize, subject: subject, size: size, limit: allowed, at: input.place())]
  }

  static let totalSize = ofAllDevices(.totalSize) {
    $0.measures(
      .totalSize, check: .totalSize, subject: "the total size of all packs", deliveries: Delivery.allCases,
      listedAs: .onDemand)
  }

  static let appBundleSize = ofAllDevices(.appBundleSize) { input in
    guard let limit = input.limits.limit(.appBundleSize) else { return [] }
    switch input.appSize {
    case .exact(let size):
      let place = input.place(at: input.manifest.appBundleOffset)
      return [LimitComparison(.appBundleSize, subject: "the app bundle", size: size, limit: limit, at: place)]
    case .atLeast(let untagged):
      return [
        LimitComparison(
          .appBundleSize, subject: "the app bundle, with \(untagged.words),", size: untagged.size,
          limit: limit,
          basis: AppSize.assumption, at: input.place())
      ]
    case .unreadable, .unknown: return []
    }
  }

  /// Reports a manifest whose app size is smaller than the total size of the untagged files, because untagged
  /// files are part of the app.
  static let contradictedAppSize = PackCheck(.appBundleSize) { input in
    let untagged = input.release.untagged
    guard case .size(let size)? = input.manifest.appBundle, untagged.size > size else { return [] }
    let message =
      "the app bundle is \(ByteSize.exact(size)) according to \"appBundle\", but the app contains "
      + "\(untagged.words); leave out files that are not part of the app with \"exclude\", or correct "
      + "\"appBundle\""
    return [
      Diagnostic(
        .appBundleSize, message: message, at: input.place(at: input.manifest.appBundleOffset),
        severity: .warning,
        measurement: .init(untagged.size, limit: size))
    ]
  }

  /// Reports that limits of the app were not checked.
  ///
  /// This happens if nothing is known about the app's size: the manifest does not state it, and there are no
  /// initial-install packs and no untagged files.
  static let uncheckedLimits = PackCheck(.appBundleSize, .cellularSize) { input in
    guard input.isOfPlan, case .unknown = input.appSize, input.release.count(of: .initialInstall).size == 0
    else { return [] }
    return [LimitKind.appBundleSize, .cellularSize].compactMap { kind in
      guard let limit = input.limits.limit(kind) else { return nil }
      let message =
        "packtool did not check the limit of \(ByteSize.number(limit.doubtful)) for \(kind.subject), because "
        + "the size of the app is unknown; state the size in \"appBundle\""
      return Diagnostic(kind.check, message: message, at: input.place(), severity: .note)
    }
  }

  static let tagSizes = perDevice(.tagSize, .inUseSize) { input in
    input.release.tags.flatMap { tag -> [LimitComparison] in
      let packs = tag.packs.count == 1 ? "" : " with its \(grouped(tag.packs.count)) packs"
      let subject = "the tag \(quoted(tag.name))\(packs)"
      return [(LimitKind.inUseSize, Check.inUseSize), (.tagSize, .tagSize)].compactMap { kind, check in
        guard let limit = input.limits.limit(kind) else { return nil }
        var measure = LimitComparison(
          check, subject: subject, size: input.release.sizeOnDevice(ofPacks: tag.packs), limit: limit,
          at: input.place(ofTags: [tag.name])
        ) { allowed in
          tag.packs.count == 1 ? input.split(tag.packs[0], allowed) : input.release.largestPacks(tag.packs)
        }
        // If the tag has only one pack and this pack exceeds the limit for packs, another check already
        // reports it.
        let isReported =
          kind == .tagSize && tag.packs.count == 1
          && input.limits.limit(.packSize).map { tag.size > $0.doubtful } ?? false
        if isReported { measure.basis = .reported }
        return measure
      }
    }
  }

  static let cellularSize = perDevice(.cellularSize) { input in
    guard let limit = input.limits.limit(.cellularSize) else { return [] }
    let initial = input.release.sizeOnDevice(of: .initialInstall)
    let packs = input.release.packsOnDevice(of: input.release.order(of: .initialInstall))
    let bundle: Int64
    switch input.appSize {
    case .exact(let size): bundle = size
    case .atLeast(let untagged) where initial <= limit.doubtful:
      return [
        LimitComparison(
          .cellularSize,
          subject:
            "\(LimitKind.cellularSize.subject), initial install \(ByteSize.number(initial)) and "
            + "\(untagged.words),",
          size: initial.saturatingSum(with: untagged.size), limit: limit, basis: AppSize.assumption,
          at: input.placeOfInitialInstall
        ) { _ in input.release.largestPacks(packs) }
      ]
    // The initial install counts even if the size of the app is unknown.
    case .atLeast, .unreadable, .unknown:
      return [
        LimitComparison(
          .cellularSize, subject: "\(LimitKind.cellularSize.subject), even without the app bundle,",
          size: initial,
          limit: limit, at: input.placeOfInitialInstall
        ) { _ in input.release.largestPacks(packs) }
      ]
    }
    let subject =
      "a first download over cellular, with \(ByteSize.number(bundle)) for the app bundle and "
      + "\(ByteSize.exact(initial)) for the initial install,"
    return [
      LimitComparison(
        .cellularSize, subject: subject, size: bundle.saturatingSum(with: initial), limit: limit,
        at: input.place(at: input.manifest.appBundleOffset)
      ) { allowed in
        bundle > allowed
          ? [
            .init(
              "the app bundle alone exceeds this size; give tags to resources that can be downloaded later")
          ]
          : input.release.largestPacks(packs)
      }
    ]
  }
}

/// The size of the app, as far as it is known.
///
/// Some limits include this size.
private enum AppSize {
  /// The app size that the manifest states, or the measured size of the app at the path in the manifest.
  case exact(Int64)
  /// The number and total size of the untagged files.
  ///
  /// They are part of the app unless the manifest excludes them.
  case atLeast(FileCount)
  /// The manifest specifies the path of an app that could not be measured; a finding already reports this.
  case unreadable
  case unknown

  /// The basis of findings that assume that the app contains all files without tags.
  static let assumption = LimitComparison.Basis.assumption(
    "leave out files that are not part of the app with \"exclude\", or state the app's size in \"appBundle\"")
}

extension PackCheck.Input {
  fileprivate var appSize: AppSize {
    if let size = appBundleSize { return .exact(size) }
    if manifest.appBundle != nil { return .unreadable }
    return release.untagged.size > 0 ? .atLeast(release.untagged) : .unknown
  }

  fileprivate var placeOfInitialInstall: Place {
    place(at: manifest.list(of: .initialInstall).first?.offset ?? manifest.rulesOffset)
  }
}

extension LimitKind {
  /// The subject of a sentence about a limit that includes the app.
  fileprivate var subject: String {
    self == .cellularSize ? "a first download over cellular" : "the app bundle"
  }
}

extension FileCount {
  /// The number and total size of files without tags, as words for a sentence.
  fileprivate var words: String {
    "\(counted(files, of: "file")) without tags of \(ByteSize.exact(size)) in total"
  }
}

extension PackCheck.Input {
  /// Compares the total size of all packs that have certain delivery modes with a limit.
  ///
  /// The finding points to the first tag in the manifest's list at which the total size exceeds the limit.
  fileprivate func measures(
    _ kind: LimitKind, check: Check, subject: String, deliveries: [Delivery], listedAs last: Delivery
  ) -> [LimitComparison] {
    guard let limit = limits.limit(kind) else { return [] }
    let all = release.packs.indices.filter { deliveries.contains(release.packs[$0].delivery) }
    let packs = check == .totalSize ? all : release.packsOnDevice(of: all)
    let files = packs.saturatingSum { release.packs[$0].size }
    let countsArchives = check == .totalSize && limits.profile.countsArchives
    let archives = countsArchives ? release.archivedSize : nil
    let size = archives ?? files
    var measure = LimitComparison(check: check, subject: subject, size: size, limit: limit) { exceededLimit in
      let first = manifest.list(of: last).first.map { place(at: $0.offset) } ?? place()
      guard let exceededLimit else { return (first, []) }
      let (found, notes) = tag(passing: exceededLimit, of: packs, listedAs: last) ?? (first, [])
      return (found, notes + release.largestPacks(packs))
    }
    if countsArchives, archives == nil {
      measure.basis = .assumption("the store counts archives, which can be smaller than these files")
    }
    return [measure]
  }

  /// Finds the first tag of a list at which the total size exceeds a limit, with a note about the tag.
  ///
  /// The result is nil if the list is empty.
  private func tag(
    passing limit: Int64, of packs: [Int], listedAs last: Delivery
  ) -> (place: Place, notes: [Diagnostic.AttachedLine])? {
    let list = manifest.list(of: last)
    guard let first = list.first else { return nil }
    let others = packs.filter { release.packs[$0].delivery != last }
    let headroom = limit - others.saturatingSum { release.packs[$0].size }
    if headroom < 0 {
      let note = Diagnostic.AttachedLine(
        "the initial install alone exceeds the limit, so nothing can be prefetched")
      return (place(at: first.offset), [note])
    }
    let counted = Set(packs)
    let order = release.order(of: last).filter(counted.contains)
    guard let index = firstTag(in: list, packOrder: order, exceeding: headroom) else { return nil }
    let name = quoted(list[index].value)
    let note =
      index == 0
      ? "the packs of the first tag, \(name), already exceed the limit"
      : "all packs up to the tag \(quoted(list[index - 1].value)) fit, but the packs of \(name) do not"
    return (place(at: list[index].offset), [.init(note)])
  }

  /// Returns the index of the first tag in a list whose packs make the total size exceed `headroom`, if packs
  /// are added in download order.
  private func firstTag(in list: [Located<String>], packOrder order: [Int], exceeding headroom: Int64) -> Int?
  {
    var size: Int64 = 0
    var tagsSoFar: Set<String> = []
    var waiting = order[...]
    for (index, tag) in list.enumerated() {
      tagsSoFar.insert(tag.value)
      // The packs are sorted by their first tag in the list.
      while let next = waiting.first, release.packs[next].tags.contains(where: tagsSoFar.contains) {
        size = size.saturatingSum(with: release.packs[next].size)
        waiting.removeFirst()
      }
      if size > headroom { return index }
    }
    return nil
  }
}

extension Release {
  fileprivate func largestPacks(_ numbers: [Int]) -> [Diagnostic.AttachedLine] {
    let largest = numbers.sorted { (packs[$1].size, $0) < (packs[$0].size, $1) }.prefix(3)
    let texts = largest.map { "\(setNotation(packs[$0].tags)) with \(ByteSize.exact(packs[$0].size))" }
    return texts.isEmpty ? [] : [.init("the largest packs: \(texts.joined(separator: ", "))")]
  }
}

/// Explains why there are many packs.
///
/// The explanation contains the most frequent tags, and the number of packs that would remain without a tag.
struct TagSetGrowth {
  private let tagSets: [[String]]
  private let all: Set<[String]>
  /// The indices of the tag sets that contain each tag.
  private let withTag: [String: [Int]]
  /// The number of tag sets that contain each tag, with the most frequent tag first.
  private let frequencies: [(tag: String, sets: Int)]

  private static let maxDroppedTags = 200
  private static let maxMergedTags = 12

  init(of tagSets: [[String]]) {
    self.tagSets = tagSets
    all = Set(tagSets)
    var withTag: [String: [Int]] = [:]
    for (number, tags) in tagSets.enumerated() {
      for tag in tags { withTag[tag, default: []].append(number) }
    }
    self.withTag = withTag
    frequencies = withTag.map { ($0.key, $0.value.count) }.sorted { ($1.1, $0.0) < ($0.1, $1.0) }
  }

  var notes: [Diagnostic.AttachedLine] {
    // If each tag is in one pack, no tag explains the number of packs.
    if frequencies.first.map({ $0.sets < 2 }) ?? true { return [] }
    let most = frequencies.prefix(3).map { "\(quoted($0.tag)) in \(grouped($0.sets))" }
    var notes = [
      Diagnostic.AttachedLine(
        "the tags that occur in the most packs: \(most.joined(separator: ", "))")
    ]
    if let best = bestDropped {
      notes.append(
        .help("without the tag \(quoted(best.tag)) there would be \(counted(best.packs, of: "pack"))"))
    }
    if let best = bestMerged {
      notes.append(
        .init(
          "with \(quoted(best.first)) and \(quoted(best.second)) as one tag there would be "
            + counted(best.packs, of: "pack")))
    }
    return notes
  }

  /// The tag whose removal leaves the fewest packs, and the number of these packs.
  private var bestDropped: (tag: String, packs: Int)? {
    let results = frequencies.prefix(Self.maxDroppedTags).map { candidate in
      let packs = packCount(without: candidate.tag) {
        $0.count == 1 ? nil : $0.filter { $0 != candidate.tag }
      }
      return (tag: candidate.tag, packs: packs)
    }
    return results.min { ($0.packs, $0.tag) < ($1.packs, $1.tag) }
  }

  /// Two tags that could become one tag.
  private struct MergedTags {
    let first: String
    let second: String
    /// The number of packs after the two tags become one tag.
    let packs: Int
  }

  /// The two tags that leave the fewest packs if they become one tag.
  private var bestMerged: MergedTags? {
    let tags = frequencies.prefix(Self.maxMergedTags).map(\.tag)
    var best: MergedTags?
    for (index, first) in tags.enumerated() {
      for second in tags[(index + 1)...] {
        let merged = packCount(without: second) { tags in Set(tags.map { $0 == second ? first : $0 }).sorted()
        }
        if merged < best?.packs ?? tagSets.count {
          best = MergedTags(first: first, second: second, packs: merged)
        }
      }
    }
    return best
  }

  /// Returns the number of packs after a change of all tag sets that contain `tag`.
  ///
  /// `change` returns the new tag set, or nil if no tag remains.
  private func packCount(without tag: String, change: ([String]) -> [String]?) -> Int {
    let changed = withTag[tag] ?? []
    // A changed set no longer contains the tag. Therefore it can only be equal to a set that never contained
    // the tag.
    let new = Set(changed.compactMap { change(tagSets[$0]) }.filter { !all.contains($0) })
    return tagSets.count - changed.count + new.count
  }
}
