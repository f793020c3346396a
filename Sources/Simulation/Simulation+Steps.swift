import System

/// What each step does.
extension Simulation {
  /// Does one step; false where the run ends with it.
  mutating func perform(_ action: ScenarioStep.Action) throws(ScenarioMistake) -> Bool {
    switch action {
    case .install: return try installApp()
    case .begin(let tags, let name, let priority): try begin(tags, name, priority)
    case .conditional(let tags, let name): try beginConditionally(tags, name)
    case .end(let name): close(try number(of: name))
    case .await(let name): try wait(for: try number(of: name))
    case .priority(let name, let priority): setPriority(of: try number(of: name), to: priority)
    case .preserve(let tags, let priority): try preserve(tags, priority)
    case .play(let time): try play(for: time)
    case .link(let link): try change(to: link)
    case .space(let space): change(to: space)
    case .quit: for request in open { close(request) }
    case .update(let name): try update(to: name)
    }
    reschedule()
    return true
  }

  private mutating func installApp() throws(ScenarioMistake) -> Bool {
    if result.steps.count > 1 { throw mistake(.installNotFirst) }
    let size = release.initialInstall.reduce(release.appSize ?? 0) { $0 + release.size($1) }
    if link == nil || size > space {
      result.summary.errors += 1
      return false
    }
    install = InstallProgress(appSize: release.appSize, packs: release.initialInstall[...])
    reschedule()
    while install != nil { try advanceToArrival() }
    return true
  }

  private mutating func play(for time: Int64) throws(ScenarioMistake) {
    let (end, overflows) = now.addingReportingOverflow(time)
    if overflows { throw mistake(.endless) }
    advance(to: end)
  }

  private mutating func wait(for number: Int) throws(ScenarioMistake) {
    let start = now
    while let request = requests[number], request.missing > 0 { try advanceToArrival() }
    if now == start { return }
    result.requests[number].waited += now - start
    result.summary.stalls += 1
    result.summary.stalled += now - start
  }

  private mutating func change(to link: NetworkLink?) throws(ScenarioMistake) {
    leave()
    self.link = link
    if link != nil { return }
    try spend(open.count)
    for number in open where (requests[number]?.missing ?? 0) > 0 { close(number, .offline) }
  }

  private mutating func change(to space: Int64) {
    self.space = space
    if reserved <= space { return }
    while reserved > space, let pack = nextToPurge() { purge(pack, for: nil) }
    if reserved <= space { countOverPurged(space - reserved) }
  }

  private mutating func preserve(_ names: [String], _ priority: Double) throws(ScenarioMistake) {
    let tags = names.compactMap(table.tag)
    for tag in tags { tagPreservation[tag] = priority }
    for tag in tags {
      for pack in release.packsOfTag[tag] {
        try spend(release.tags[Int(pack)].count)
        renewPreservation(of: Int(pack))
      }
    }
  }

  private mutating func renewPreservation(of pack: Int) {
    let highest = release.tags[pack].reduce(0) { max($0, tagPreservation[$1]) }
    if highest == packs[pack].preservation { return }
    packs[pack].preservation = highest
    markStale(pack)
  }

  private mutating func update(to name: String) throws(ScenarioMistake) {
    if !open.isEmpty {
      throw mistake(.requestsOpenAtUpdate(open.sorted().map { result.requests[$0].name }))
    }
    guard let next = table.update(name) else { throw mistake(.unknownRelease(name)) }
    try spend(packs.count)
    leave()
    prefetch = []
    for pack in packs.indices where !isKept(pack, in: next) { replace(pack) }
    release = next
    resolved = [:]
    resolvedPacks = 0
    for pack in packs.indices { renewPreservation(of: pack) }
  }

  /// Whether a release has a pack as it is now.
  private func isKept(_ pack: Int, in next: PackTable.Catalog) -> Bool {
    guard let old = release.packs[pack], let new = next.packs[pack] else { return false }
    return old.content == new.content && old.size == new.size
  }

  private mutating func replace(_ pack: Int) {
    if let size = packs[pack].reserved {
      endCopy(of: pack)
      release(size)
    }
    let preservation = packs[pack].preservation
    let version = packs[pack].version
    let isStale = packs[pack].isStale
    packs[pack] = PackState()
    packs[pack].preservation = preservation
    packs[pack].version = version &+ 1
    packs[pack].isStale = isStale
  }

  private mutating func release(_ size: Int64) {
    reserved -= size
    purgeable -= size
  }
}
