import Flags
import PackKit

/// The budgets of a command line, for commands that hold packs and updates against them.
struct BudgetOptions: Sendable {
  var budgets = Budgets()

  /// The flags, for a command whose options hold these as a part.
  static func flags<Options>(in part: Flag<Options>.Target<BudgetOptions>) -> [Flag<Options>] {
    own.map { $0.lifted(into: part).grouped(under: "budgets, in place of the manifest's") }
  }

  private static let own: [Flag<BudgetOptions>] = [
    .parsed(
      "--budget-update", valueName: "SIZE", summary: "what an update may download, such as \"20 MB\"",
      parse: size, into: \.updateSize),
    .parsed(
      "--budget-growth", valueName: "PART",
      summary: "how much all packs together may grow, such as \"5 %\"", parse: growth, into: \.growth),
    .parsed(
      "--budget-pack", valueName: "TAGS=SIZE",
      summary: "how large the pack of these tags, with \"+\" between, may be; may be repeated", parse: pack,
      into: \.lastPack),
  ]
}

extension BudgetOptions {
  private var updateSize: Int64? {
    get { nil }
    set { if let newValue { budgets.updateSize = Budget(newValue) } }
  }

  private var growth: Percentage? {
    get { nil }
    set { if let newValue { budgets.growth = Budget(newValue) } }
  }

  /// Where the flag puts one pack's budget; each adds to those before.
  private var lastPack: (name: String, size: Int64)? {
    get { nil }
    set {
      guard let newValue else { return }
      budgets.packs.removeAll { $0.name == newValue.name }
      budgets.packs.append((newValue.name, Budget(newValue.size)))
    }
  }

  private static func size(_ text: String) throws(FlagMistake) -> Int64? {
    if let size = Int64(text) ?? ByteSize.bytes(in: text), size >= 0 { return size }
    throw FlagMistake("needs a number of bytes or a size such as \"20 MB\", not \(quoted(text))")
  }

  private static func growth(_ text: String) throws(FlagMistake) -> Percentage? {
    if let part = Percentage(text) { return part }
    throw FlagMistake("needs a part such as \"5 %\", not \(quoted(text))")
  }

  private static func pack(_ text: String) throws(FlagMistake) -> (name: String, size: Int64)? {
    guard let equals = text.utf8.lastIndex(of: UInt8(ascii: "=")), equals > text.startIndex else {
      throw FlagMistake("takes TAGS=SIZE, such as \"Level 1=60 MB\", not \(quoted(text))")
    }
    let size = try size(String(text[text.utf8.index(after: equals)...]))
    return size.map { (String(text[..<equals]), $0) }
  }
}

/// The release that a manifest's packs are compared with.
struct BaselineOptions: Sendable {
  var baseline: String?
  var budgets = BudgetOptions()

  /// The flags, for a command whose options hold these as a part.
  static func flags<Options>(in part: Flag<Options>.Target<BaselineOptions>) -> [Flag<Options>] {
    let baseline: Flag<BaselineOptions> = .value(
      "--baseline", valueName: "INDEX",
      summary: "the packs that users have, a built folder or its index: holds the update against its budgets",
      into: \.baseline)
    return [baseline.lifted(into: part)] + BudgetOptions.flags(in: \.budgets).map { $0.lifted(into: part) }
  }

  /// A flag that nothing can be held against.
  var mistake: UsageMistake? {
    guard baseline == nil, budgets.budgets.needBaseline else { return nil }
    let flag = budgets.budgets.updateSize == nil ? "--budget-growth" : "--budget-update"
    return UsageMistake("flag \(quoted(flag)) needs a release to compare with: --baseline INDEX")
  }

  /// What the update from the baseline is found to be over, and the baseline's own faults.
  func findings(
    on preparation: Preparation, _ shared: SharedOptions, _ session: Session
  ) throws -> [Diagnostic] {
    guard let baseline, let manifest = preparation.manifest else { return [] }
    let reader = try ReleaseReader(baseline, jobs: shared.workers)
    guard let release = reader.release else { return reader.diagnostics }
    let (update, diagnostics) = try preparation.update(from: release, jobs: shared.workers)
    guard let update else { return diagnostics }
    if !shared.isQuiet {
      let size = update.download(of: .everything).byPacks
      session.narrate(
        "update from \(displayed(baseline)): \(ByteSize.text(size)) of \(ByteSize.text(update.new.size))\n",
        shared)
    }
    return BudgetFindings(manifest.budgets, of: manifest, path: preparation.path).findings(on: update)
  }
}
