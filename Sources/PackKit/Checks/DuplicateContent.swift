import Findings
import System

/// Finds files with the same content in several packs.
struct DuplicateContent {
  let plan: PackPlan
  /// The open root folder.
  let root: Folder
  /// The known digests of files, by their index in the tree.
  let known: @Sendable (Int) -> Digest?
  let reads: AssetReads

  /// The smallest size in bytes of files that are compared.
  private static let smallestFile: Int64 = 1 << 14
  /// The size in bytes of the samples, at the front and at the end, that are compared before whole files.
  private static let sampleSize: Int64 = 1 << 12

  /// One finding for each set of packs that share content, with the wasted bytes.
  func findings(jobs: Int) throws(SystemError) -> [Diagnostic] {
    let groups = try onThreads(jobs, each: filesOfEqualSize()) { candidates throws(SystemError) in
      let sampled = canSample(candidates) ? try split(candidates, by: sample) : [candidates]
      var groups: [[Int]] = []
      for group in sampled { groups += try split(group, by: digest) }
      return groups
    }
    return report(groups.flatMap(\.self))
  }

  /// Groups of files of equal size in different packs.
  private func filesOfEqualSize() -> [[Int]] {
    var bySize: [Int64: [Int]] = [:]
    for (number, file) in plan.tree.files.enumerated() where file.size >= Self.smallestFile {
      bySize[file.size, default: []].append(number)
    }
    return bySize.values.filter(spansPacks)
  }

  /// Whether samples spare reading whole files: not if all digests are known, nor beside a pointer, which has none.
  private func canSample(_ numbers: [Int]) -> Bool {
    numbers.contains { known($0) == nil } && numbers.allSatisfy { plan.tree.files[$0].pointer == nil }
  }

  private func spansPacks(_ numbers: [Int]) -> Bool {
    numbers.contains { plan.tree.files[$0].tagSet != plan.tree.files[numbers[0]].tagSet }
  }

  /// Splits files into groups with equal keys in different packs.
  private func split<Key: Hashable>(
    _ numbers: [Int], by key: (Int) throws(SystemError) -> Key
  ) throws(SystemError) -> [[Int]] {
    // Links to one file are equal without being read.
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
    reads.addRead(file.size)
    reads.addHashed(file.size)
    return digest
  }

  private func sample(of number: Int) throws(SystemError) -> [UInt8] {
    let file = plan.tree.files[number]
    let input = try root.open(file)
    var sample = ByteBuffer()
    try input.read(Int(Self.sampleSize), at: 0, into: &sample)
    try input.read(Int(Self.sampleSize), at: file.size - Self.sampleSize, into: &sample)
    reads.addRead(Int64(sample.count))
    return sample.array()
  }

  /// One finding for each set of packs.
  private func report(_ groups: [[Int]]) -> [Diagnostic] {
    let bySets = Dictionary(grouping: groups) { group in
      Set(group.map { plan.tree.files[$0].tagSet }).sorted()
    }
    return bySets.map { sets, groups in
      let shared = groups.saturatingSum { plan.tree.files[$0[0]].size }
      let tagSets = sets.map { plan.tree.tagSets.tags(of: $0) }
      let largest = groups.min { first, second in
        let files = (plan.tree.files[first[0]], plan.tree.files[second[0]])
        return (files.1.size, files.0.path) < (files.0.size, files.1.path)
      }
      let example = (largest ?? []).prefix(3).map { plan.tree.files[$0].path }
      let union = Set(tagSets.joined()).sorted()
      return Diagnostic(
        .duplicateContent,
        "the packs of \(tagSets.map(setNotation).joined(separator: " and ")) hold the same "
          + "\(groups.count == 1 ? "file" : counted(groups.count, "file")), "
          + "\(counted(shared * Int64(sets.count - 1), "byte")) more than needed, "
          + "such as \(listed(example)); one file with the tags \(setNotation(union)) would be shared",
        at: plan.place(ofTags: union))
    }
  }
}
