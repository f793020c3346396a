import Findings
import System

/// Finds paths that clash between packs whose files devices put into one folder.
///
/// Letters' case and Unicode form do not count, since they do not in the file systems of most devices.
struct SharedPaths {
  private let plan: PackPlan
  private let packs: [Int]

  init(_ plan: PackPlan) {
    self.plan = plan
    packs = plan.packOfTagSet
  }

  var findings: [Diagnostic] {
    // The scan has compared the names of each folder; only destinations lead files of several to one place.
    if !plan.tree.mayHaveClashes && !plan.manifest.hasDestinations { return [] }
    var first: [String: Int] = Dictionary(minimumCapacity: plan.tree.files.count)
    let numbers = plan.filesByPackPath
    for number in numbers where first[key(number)] == nil { first[key(number)] = number }
    return numbers.flatMap { number -> [Diagnostic] in
      guard let earlier = first[key(number)] else { return [] }
      if earlier != number { return finding(earlier, number).map { [$0] } ?? [] }
      return folders(above: number, first)
    }
  }

  private func key(_ number: Int) -> String { plan.tree.files[number].packPath.lowercased() }

  private func pack(of number: Int) -> Int { packs[Int(plan.tree.files[number].tagSet)] }

  /// The finding about two files at one place; nil if one pack has both, which is another finding.
  private func finding(_ first: Int, _ second: Int) -> Diagnostic? {
    if pack(of: first) == pack(of: second) { return nil }
    let (one, other) = (plan.tree.files[first], plan.tree.files[second])
    let isSame = one.packPath.isSameInBytes(as: other.packPath)
    let places =
      isSame
      ? quoted(one.packPath)
      : "\(quoted(other.packPath)) and \(quoted(one.packPath)), which most devices take for one,"
    let message =
      "\(quoted(other.path)) and \(quoted(one.path)) land at \(places) in the packs of \(tags(second)) and \(tags(first)); "
      + "all packs share one folder on a device: give one another destination, or set \"packPrefix\""
    return Diagnostic(.pathInTwoPacks, message, at: plan.place(of: other), severity: .error)
  }

  /// Findings about a file whose folder is a file of another pack.
  private func folders(above number: Int, _ places: [String: Int]) -> [Diagnostic] {
    let file = plan.tree.files[number]
    return foldersAbove(file.packPath).compactMap { folder in
      guard let other = places[folder.lowercased()], pack(of: other) != pack(of: number) else { return nil }
      let message =
        "\(quoted(file.packPath)) of the pack of \(tags(number)) needs a folder where the pack of \(tags(other)) has the "
        + "file \(quoted(plan.tree.files[other].packPath)); all packs share one folder on a device: give one another "
        + "destination, or set \"packPrefix\""
      return Diagnostic(.pathInTwoPacks, message, at: plan.place(of: file), severity: .error)
    }
  }

  private func tags(_ number: Int) -> String { setNotation(plan.packs[pack(of: number)].tags) }
}
