import Findings
import PackKit
import System

/// How a plan comes to fewer packs, for people.
struct MergeText {
  private let merge: MergePlan
  private let release: Release
  private let most: Int

  /// The number of requests of a step that are named.
  private static let mostNamed = 3

  init(_ merge: MergePlan, _ release: Release, most: Int) {
    self.merge = merge
    self.release = release
    self.most = most
  }

  var text: PlainText {
    if release.packs.count <= most {
      return "\nmerge: \(counted(release.packs.count, "pack")), at most \(grouped(most)) already\n"
    }
    if merge.steps.isEmpty {
      return
        "\nmerge: \(counted(release.packs.count, "pack")), more than the \(grouped(MergePlan.mostPacks)) that are joined\n"
    }
    return head + table + tail
  }

  private var head: PlainText {
    let left = merge.steps.last?.packCount ?? release.packs.count
    let cost = merge.steps.saturatingSum { $0.size }
    return
      "\nmerge to at most \(counted(most, "pack")): \(counted(merge.steps.count, "step")), \(grouped(release.packs.count)) → "
      + "\(grouped(left)) packs, \(ByteSize.text(cost)) for nothing if each tag is requested once\n"
  }

  private var table: PlainText {
    var table = TextTable([.right, .right, .right, .left])
    for (number, step) in merge.steps.enumerated() {
      table.add(
        "\(number + 1)", counted(step.packCount, "pack"), ByteSize.text(step.size),
        step.packs.map { name(of: $0) }.joined(separator: " with "))
      let requests = step.requests.filter { $0.size > 0 }
      let named = requests.prefix(Self.mostNamed).map { "\(words($0.request)) \(ByteSize.text($0.size))" }
      let more = requests.count > named.count ? " and \(grouped(requests.count - named.count)) more" : ""
      table.add("", "", "", "  " + (named.isEmpty ? "nothing" : named.joined(separator: ", ") + more))
    }
    return table.text(indentation: 2)
  }

  private var tail: PlainText { "\"merge\": \(grouped(most)) in the manifest does it\n" }

  private func name(of packs: [Int]) -> String {
    setNotation(Set(packs.flatMap { release.packs[$0].tags }).sorted())
  }

  private func words(_ request: MergePlan.Request) -> String {
    switch request {
    case .tag(let tag): quoted(tag)
    case .initialInstall: "the initial install"
    case .prefetch: "the prefetch"
    }
  }
}
