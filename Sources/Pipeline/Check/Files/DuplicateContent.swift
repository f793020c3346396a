package import Formats
package import System

/// Finds files that have the same content and are in different packs.
struct DuplicateContent {
  let plan: PackPlan
  let root: Folder
  /// Returns the digest of a file, by its index in the tree; nil if the digest is unknown.
  let known: @Sendable (Int) -> Digest?
  let readCounter: ReadCounter

  /// The size in bytes of a sample.
  ///
  /// Samples are compared before whole files are read.
  private static let sampleSize: Int64 = 1 << 12
  /// The maximum number of samples of a file, spread from its beginning to its end.
  private static let maxSamples: Int64 = 16

  func findings(jobs: Int) throws(SystemError) -> [Diagnostic] {
    let groups = try onThreads(jobs, each: filesOfEqualSize()) { candidates throws(SystemError) in
      let sampled = canSample(candidates) ? try split(candidates, by: sample) : [candidates]
      var groups: [[Int]] = []
      for group in sampled { groups += try split(group, by: digest) }
      return groups
    }
    return report(groups.flatMap(\.self))
  }

  /// Returns groups of files that have the same size and are in different packs.
  private func filesOfEqualSize() -> [[Int]] {
    var bySize: [Int64: [Int]] = [:]
    for (number, file) in plan.tree.files.enumerated() where file.size >= Copies.minFileSize {
      bySize[file.size, default: []].append(number)
    }
    return bySize.values.filter(spansPacks)
  }

  /// Whether comparing samples can avoid reading whole files.
  ///
  /// If all digests are known, samples are not needed. Samples of a pointer would not be samples of the file
  /// that it represents.
  private func canSample(_ numbers: [Int]) -> Bool {
    numbers.contains { known($0) == nil } && numbers.allSatisfy { plan.tree.files[$0].pointer == nil }
  }

  private func spansPacks(_ numbers: [Int]) -> Bool {
    numbers.contains { plan.tree.files[$0].tagSet != plan.tree.files[numbers[0]].tagSet }
  }

  /// Splits a group of files into smaller groups with equal keys, and returns those groups that span several
  /// packs.
  private func split<Key: Hashable>(
    _ numbers: [Int], by key: (Int) throws(SystemError) -> Key
  ) throws(SystemError) -> [[Int]] {
    // Hard links to the same file are equal, so they need not be read.
    if Set(numbers.map { plan.tree.files[$0].stamp.identity }).count == 1 { return [numbers] }
    var groups: [Key: [Int]] = [:]
    for number in numbers {
      do throws(SystemError) {
        groups[try key(number), default: []].append(number)
      } catch {
        // Other checks report unreadable files.
        if !error.isMissing && !error.isDenied && !error.isNoFile { throw error }
      }
    }
    return groups.values.filter(spansPacks)
  }

  private func digest(of number: Int) throws(SystemError) -> Digest {
    if let known = known(number) { return known }
    let file = plan.tree.files[number]
    let digest = try root.open(file).digest()
    readCounter.addRead(file.size)
    readCounter.addHashed(file.size)
    return digest
  }

  private func sample(of number: Int) throws(SystemError) -> Digest {
    let file = plan.tree.files[number]
    let input = try root.open(file)
    var sample = ByteBuffer()
    // Large files of the same size often have the same header and the same padding at the end.
    let count = min(Self.maxSamples, max(2, file.size / (Self.sampleSize * Self.maxSamples)))
    for number in 0..<count {
      let offset = (file.size - Self.sampleSize) / (count - 1) * number
      try input.read(
        Int(Self.sampleSize), at: number == count - 1 ? file.size - Self.sampleSize : offset, into: &sample)
    }
    readCounter.addRead(Int64(sample.count))
    // Using a SHA-256 as the dictionary key is faster than using the bytes, because Swift would hash the
    // bytes one by one.
    return sample.withBytes { SHA256.digest(of: $0) }
  }

  private func report(_ groups: [[Int]]) -> [Diagnostic] {
    let copies = groups.map { numbers in
      Copies(
        numbers.map { number in
          let file = plan.tree.files[number]
          return Copies.File(
            path: file.path, size: file.size, pack: Int(file.tagSet),
            tags: plan.tree.tagSets.tags(of: file.tagSet), place: plan.place(of: file))
        })
    }
    return copies.findings(total: plan.packs.saturatingSum { $0.size })
  }
}

/// The digests of a plan's files, and findings about the files' contents.
package struct InspectedDigests: Sendable {
  /// The digests in the order of the tree's files; zero for unreadable files.
  package let digests: [Digest]
  /// Findings about files that could not be read.
  package let unreadable: [Diagnostic]
  /// Findings about contents, with all findings about pointers combined into one.
  package let findings: [Diagnostic]
}

extension PackPlan {
  /// Returns the digests of files below an open root folder, in the order of `files`, and findings about
  /// unreadable files.
  ///
  /// `files` are indices in the tree. Pointers and files with a known digest are not read. The digest of an
  /// unreadable file is zero. Several threads read the files.
  package func contentDigests(
    of files: [Int], root: Folder, unchanged: UnchangedFiles = .nothing,
    readCounter: ReadCounter = ReadCounter(),
    jobs: Int
  ) throws(SystemError) -> (digests: [Digest], diagnostics: [Diagnostic]) {
    try contentDigests(
      of: files, root: root, unchanged: unchanged, readCounter: readCounter, jobs: jobs,
      inspectingEachRead: { _, _ in })
  }

  /// Returns the digests of all files and findings about their contents, opening each file only once.
  package func inspectedDigests(
    root: Folder, readCounter: ReadCounter = ReadCounter(), jobs: Int
  ) throws(SystemError) -> InspectedDigests {
    let found = Monitor<[Int: ContentFinding]>([:])
    let read = try contentDigests(
      of: Array(tree.files.indices), root: root, unchanged: .nothing, readCounter: readCounter, jobs: jobs,
      inspectingEachRead: { number, input throws(SystemError) in
        var head = ByteBuffer()
        if let finding = try contentFinding(
          tree.files[number], in: input, readCounter: readCounter, head: &head)
        {
          found.change { $0[number] = finding }
        }
      })
    let findings = found.change { $0 }.sorted { $0.key < $1.key }.compactMap(\.value.finding)
    return InspectedDigests(
      digests: read.digests, unreadable: read.diagnostics, findings: findings.countingPointers)
  }

  /// Returns the digests of files, and calls `inspect` for each file that is read, while the file is open.
  ///
  /// `inspect` gets the index of the file in the tree.
  func contentDigests(
    of files: [Int], root: Folder, unchanged: UnchangedFiles, readCounter: ReadCounter, jobs: Int,
    inspectingEachRead inspect: @escaping @Sendable (Int, borrowing InputFile) throws(SystemError) -> Void
  ) throws(SystemError) -> (digests: [Digest], diagnostics: [Diagnostic]) {
    let known = unchanged.digests(of: self)
    let findings = Monitor([Diagnostic]())
    let digests = try onThreads(jobs, each: files) { number throws(SystemError) in
      if let digest = known(number) { return digest }
      let file = tree.files[number]
      do throws(SystemError) {
        let input = try root.openFile(Array(file.path.utf8))
        let digest = try digest(of: file, in: input)
        try inspect(number, input)
        readCounter.addRead(file.size)
        readCounter.addHashed(file.size)
        return digest
      } catch {
        guard let finding = finding(about: file, error: error) else { throw error }
        findings.change { $0.append(finding) }
        return .zero
      }
    }
    return (digests, findings.change { $0 })
  }

  private func digest(of file: AssetFile, in input: borrowing InputFile) throws(SystemError) -> Digest {
    let digest = try input.digest()
    let status = try input.status()
    // If a file has changed its size, its digest would not match the size in the plan.
    guard status.size == file.size, status.identity == file.stamp.identity else {
      throw SystemError(during: "read", path: file.path, code: SystemError.truncated)
    }
    return digest
  }

  /// Returns the finding about an unreadable file; nil if the cause of the error is not the file.
  private func finding(about file: AssetFile, error: SystemError) -> Diagnostic? {
    if error.isMissing || error.isNoFile || error.code == SystemError.truncated {
      return finding(
        .fileChanged, file: file,
        statement: "changed while it was read; start again when no program writes to it")
    }
    return error.isDenied ? unreadableFinding(about: file) : nil
  }
}
