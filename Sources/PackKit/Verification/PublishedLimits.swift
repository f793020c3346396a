import Archiving

/// The figures of an index held against the limits of its profile, or of another.
struct PublishedLimits {
  private let plan: PackPlan

  /// The limits of a build whose index and list of files agree.
  init(
    _ index: PublishedIndex, _ contents: PublishedContents, in folder: BuiltFolder, _ profile: LimitProfile?
  ) throws(SystemError) {
    var manifest = Manifest(text: index.text, folder: folder.path)
    manifest.bundleIdentifier = index.bundleIdentifier
    manifest.rulesOffset = index.packsOffset
    manifest.limits.profile = profile ?? LimitProfile.named(index.limits.value) ?? .appStore
    manifest.firstPlaces = Dictionary(index.tags.map { ($0.name, $0.offset) }) { first, _ in first }
    var tree = AssetTree(
      root: try Folder(folder.path), tagSets: TagSets(of: index.packs.flatMap(\.tags)))
    tree.untagged = index.untagged
    let limit = manifest.limits.limit(.packSize)
    let packs = try index.packs.enumerated().map { number, pack throws(SystemError) in
      // Only what is too large is told file by file; a million others stay columns.
      let isLarge = limit.map { $0.isPassed(by: pack.size) } ?? false
      let files = isLarge ? ExpectedFiles(of: number, in: contents) : nil
      return AssetPack(
        tags: pack.tags, identity: PackIdentity(tags: pack.tags, bundleIdentifier: index.bundleIdentifier),
        delivery: pack.delivery, priority: pack.priority,
        files: try files.map { files throws(SystemError) in try tree.add(files, tags: pack.tags) } ?? [],
        size: pack.size)
    }
    let numbers = Dictionary(zip(index.packs.map(\.id), 0...)) { first, _ in first }
    let tags = index.tags.map { tag in
      PackPlan.TagSummary(
        tag: tag.name, delivery: tag.delivery, packs: tag.packs.compactMap { numbers[$0] }, size: tag.size)
    }
    plan = PackPlan(
      manifest: manifest, tree: tree, packs: packs, tags: tags,
      downloadOrder: index.deliveries.mapValues { $0.packs.compactMap { numbers[$0] } })
  }

  var findings: [Diagnostic] {
    let input = PlanCheck.Input(plan: plan, appBundleSize: nil)
    return PlanCheck.limits.flatMap { $0.find(input) }
  }
}

extension Limit {
  fileprivate func isPassed(by size: Int64) -> Bool {
    switch self {
    case .count: false
    case .size(let doubtful, _): size > doubtful
    }
  }
}

extension AssetTree {
  /// Adds the files of a pack; their numbers.
  fileprivate mutating func add(_ files: ExpectedFiles, tags: [String]) throws(SystemError) -> [Int] {
    let stamp = FileStamp(try root.status())
    let tagSet = tagSets.id(of: tags)
    let start = self.files.count
    for place in 0..<files.count {
      self.files.append(
        AssetFile(
          path: String(decoding: files.path(place), as: UTF8.self), size: files.size(place), stamp: stamp,
          tagSet: tagSet, destination: nil))
    }
    return Array(start..<self.files.count)
  }
}
