import Archiving

/// A build that readers see, but that has not cleared up behind itself.
struct Publication {
  let index: Index
  /// Where the packs stand, in the plan's order.
  let packs: [PublishedPack]
  /// The file that the next build knows this one by.
  let list: PublishedFile?
  /// What the next build will know of the files; not yet where it looks for it.
  let record: RecordDraft
  /// What the index before named.
  let before: [String]
}

extension Build {
  /// A pack that stands in the output folder, with what packing showed of its files.
  private struct Result {
    let published: PublishedPack
    let packed: [PackedFile]
  }

  /// Gives what was written its names, the index last; `remarkable` are the paths of files that a look into them
  /// found something to say of.
  func publish(_ written: [Int: WrittenPack], _ remarkable: Set<String>) throws -> Publication {
    let before = try output.publishedPaths()
    if settings.layout.isXcodes { return try publishForXcode(written, remarkable, before) }
    let results = try plan.packs.indices.map { number in
      try result(number, written[number]) {
        try output.publish($0, named: plan.packs[number].identity.name, in: settings.container)
      }
    }
    let packs = results.map(\.published)
    let (contents, record) = try publishLists(results, remarkable)
    let index = Index(of: plan, packs: packs, contents: contents)
    try output.publish(index)
    return Publication(index: index, packs: packs, list: contents, record: record, before: before)
  }

  /// Gives all that was written its name in one go, the manifest last.
  private func publishForXcode(
    _ written: [Int: WrittenPack], _ remarkable: Set<String>, _ before: [String]
  ) throws -> Publication {
    var renames: [PendingRename] = []
    let results = try plan.packs.indices.map { number in
      try result(number, written[number]) {
        let name = plan.packs[number].identity.name
        let (published, rename) = try output.stage($0, named: name, in: settings.container)
        if let rename { renames.append(rename) }
        return published
      }
    }
    let packs = results.map(\.published)
    let record = try draftRecord(of: results, remarkable)
    let files = try XcodeOutput(of: plan, settings).files(of: packs, in: output)
    let list = try output.publish(renames, files)
    return Publication(
      index: Index(of: plan, packs: packs), packs: packs, list: list, record: record, before: before)
  }

  /// Makes the publication last, leaves a record of it, and removes what it no longer names.
  func settle(_ published: Publication) throws {
    // The work is done and seen; what is left takes no time worth an interruption.
    Interruption.settle()
    if settings.layout.isXcodes { try output.remove(settings.staleNames) }
    try output.syncFolders()
    try leaveRecord(of: published)
    try output.clearStaging()
    if !keepsOld { try output.removeOld(except: published.index, before: published.before) }
  }

  private func result(
    _ number: Int, _ written: WrittenPack?, publish: (WrittenPack) throws -> PublishedPack
  ) throws -> Result {
    let pack = plan.packs[number]
    if let written { return Result(published: try publish(written), packed: written.files) }
    guard let prior = preparation.prior, let old = prior.pack(pack) else {
      preconditionFailure("every pack is written or known")
    }
    return Result(published: old.published, packed: prior.record.files[old.files].map(\.packed))
  }

  /// Publishes the list of all files and writes, meanwhile, what the next build will know of them.
  private func publishLists(
    _ results: [Result], _ remarkable: Set<String>
  ) throws -> (PublishedFile, RecordDraft) {
    let list = Monitor<PublishedFile?>(nil)
    let record = Monitor<RecordDraft?>(nil)
    let tasks: [@Sendable () throws -> Void] = [
      {
        let contents = try output.publish(ContentsFormat(plan: plan, packed: results.map(\.packed)))
        list.change { $0 = contents }
      },
      {
        let draft = try draftRecord(of: results, remarkable)
        record.change { $0 = draft }
      },
    ]
    try onThreads(jobs, each: tasks) { try $0() }
    guard let list = list.change({ $0 }), let record = record.change({ $0 }) else {
      preconditionFailure("both are done or one has failed")
    }
    return (list, record)
  }

  private func draftRecord(
    of results: [Result], _ remarkable: Set<String>
  ) throws(SystemError) -> RecordDraft {
    var draft = try RecordWriter(
      creating: joined(output.stagingPath, "record"), key: key, scanTime: preparation.scanTime,
      fileCount: results.reduce(0) { $0 + $1.packed.count })
    for (pack, result) in zip(plan.packs, results) {
      for (number, packed) in zip(pack.files, result.packed) {
        let file = plan.tree.files[number]
        try draft.add(
          BuildRecord.File(
            packPath: file.packPath, size: file.size, stamp: file.stamp, packed: packed,
            isRemarkable: !remarkable.isEmpty && remarkable.contains(plan.place(of: file).path)))
      }
    }
    return RecordDraft(draft)
  }

  private func leaveRecord(of published: Publication) throws(SystemError) {
    guard let list = published.list else { return }
    var packs: [BuildRecord.Pack] = []
    var end = 0
    for (pack, published) in zip(plan.packs, published.packs) {
      let start = end
      end += pack.files.count
      packs.append(
        BuildRecord.Pack(
          identifier: pack.identity.identifier, published: published,
          stamp: try output.requiredStamp(of: published.archive), files: start..<end))
    }
    let stamp = try output.requiredStamp(of: list)
    try published.record.finish(packs, contents: list, stamp: stamp, as: output.recordPath)
  }
}
