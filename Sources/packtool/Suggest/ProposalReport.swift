import Findings
import Flags
import Formats
import PackKit
import Projects
import Published
import Releases
import Simulation
import System

/// Proposed tags with what proves them.
struct ProposalReport {
  let proposal: TagProposal
  let plan: PackPlan
  let request: TagProposal.Request
  let explains: Bool
  var findings = Findings()

  /// The manifest with the proposed tags; nil where nothing is gained.
  var manifest: EditedText? { proposal.gains ? proposal.manifest(for: plan) : nil }

  /// A pack of the proposal.
  private struct Pack {
    let tags: [String]
    let size: Int64
    /// The runs that ask for it, among those that were learned from.
    let runs: [String]
    /// The pack that it would cost the least to join it with, and the microseconds that this would cost a run.
    let join: (tags: [String], cost: Int64)?
  }

  private var packs: [Pack] {
    let tagging = proposal.tagging
    let weights = tagging.weights
    let asked = proposal.learned.runs.map { run in Set(run.visits.flatMap { tagging.asked($0, weights) }) }
    let items = proposal.packItems
    // Of very many packs all pairs take too long.
    let others = tagging.sets.indices.filter { tagging.sizes[$0] > 0 && tagging.sets.count <= 2000 }
    return tagging.sets.indices.filter { tagging.sizes[$0] > 0 }.map { set in
      let tags = tagging.names(ofSet: set)
      let runs = zip(proposal.learned.runs, asked).filter { !$0.1.isDisjoint(with: tags) }.map(\.0.name)
      let joins = others.filter { $0 != set }.map { other in
        (
          other,
          proposal.price.of(items[set] + items[other]) - proposal.price.of(items[set])
            - proposal.price.of(items[other])
        )
      }
      let join = joins.min { ($0.1, $0.0) < ($1.1, $1.0) }.map {
        (tagging.names(ofSet: $0.0), Int64(max(-1e12, min(1e12, $0.1 * 1e6))))
      }
      return Pack(tags: tags, size: tagging.sizes[set], runs: runs, join: join)
    }
  }

  func text(on screen: Screen) -> PlainText {
    let (learned, heldOut) = (proposal.learned.runs.count, proposal.heldOut.runs.count)
    let names = request.links.map { SimulationRun.name(of: $0) }.joined(separator: ", ")
    let table = Table(
      proposal.table, .text { $0.name }, .number("wait 50 %") { TimeText.text($0.wait.median) },
      .number("95 %") { TimeText.text($0.wait.percentile95) },
      .number("installed") { TimeText.text($0.installed.median) },
      .size("downloaded") { $0.transferred.median }, .number("packs") { $0.packs.map { grouped($0) } ?? "" })
    let text: PlainText =
      "learned from \(counted(learned, "run")), measured on \(grouped(heldOut)) held out (seed \(request.seed)); "
      + "wait: install and stalls, the mean of \(names)\n\n" + table.text(indentation: 2) + "\n" + never
    guard let manifest else {
      return text + "no gain over today's tags on the runs that were held out: nothing is proposed\n"
    }
    return text + shared + (explains ? explanation : "") + manifest.diff(on: screen)
  }

  /// The scenes that ask for other tags than their own.
  private var shared: PlainText {
    let names = proposal.learned.scenes
    let scenes = names.indices.filter { ![[], [names[$0]]].contains(proposal.tagging.tags(ofScene: $0)) }
    if scenes.isEmpty { return "" }
    let table = Table(
      scenes.prefix(Self.mostScenes), .text("scene", upTo: 60) { displayed(names[$0]) },
      .text("asks for") { proposal.tagging.tags(ofScene: $0).map(quoted).joined(separator: ", ") })
    let more = scenes.count - Self.mostScenes
    return table.text(indentation: 2) + (more > 0 ? "  and \(counted(more, "scene")) more\n\n" : "\n")
  }

  /// Scenes that are shown with their tags.
  private static let mostScenes = 20

  private var never: PlainText {
    let count = proposal.classes.neverLoaded
    if count.files == 0 { return "" }
    return
      "\(counted(count.files, "file")), \(ByteSize.text(count.size)), are loaded by no run; they stay on demand by their "
      + "folders\n\n"
  }

  private var explanation: PlainText {
    let table = Table(
      packs, .text("pack", upTo: 60) { setNotation($0.tags) }, .size("size") { $0.size },
      .number("runs") { "\(grouped($0.runs.count)) of \(grouped(proposal.learned.runs.count))" },
      .text("joined with", upTo: 60) { $0.join.map { setNotation($0.tags) } ?? "" },
      .number("costs a run") { $0.join.map { Self.signed($0.cost) } ?? "" })
    return table.text(indentation: 2) + "\n"
  }

  private static func signed(_ time: Int64) -> String {
    time < 0 ? "-\(TimeText.text(-time))" : TimeText.text(time)
  }

  var json: JSONText {
    findings.document([
      "runs": .object([
        "learned": .strings(proposal.learned.runs.map(\.name)),
        "heldOut": .strings(proposal.heldOut.runs.map(\.name)),
      ]),
      "scenes": .array(
        proposal.learned.scenes.enumerated().map { number, name in
          .object(["name": .string(name), "tags": .strings(proposal.tagging.tags(ofScene: number))])
        }),
      "links": .array(request.links.map { SimulationResult.json(of: $0) }),
      "connections": .integer(request.connections),
      "seed": .integer(Int64(request.seed)),
      "table": .array(proposal.table.map(row)),
      "neverLoaded": .object([
        "files": .integer(proposal.classes.neverLoaded.files),
        "size": .integer(proposal.classes.neverLoaded.size),
      ]),
      "packs": .array(manifest == nil ? [] : packs.map(pack)),
      "manifest": manifest.map { .string(String(decoding: $0.bytes, as: UTF8.self)) } ?? .null,
    ])
  }

  private func row(_ row: TagPlayback.Result) -> JSONText {
    func spread(_ spread: PlayersResult.Spread) -> JSONText {
      .object(["median": .integer(spread.median), "percentile95": .integer(spread.percentile95)])
    }
    return .object([
      "name": .string(row.name), "wait": spread(row.wait), "installed": spread(row.installed),
      "downloaded": spread(row.transferred), "packs": row.packs.map { .integer($0) } ?? .null,
    ])
  }

  private func pack(_ pack: Pack) -> JSONText {
    .object([
      "tags": .strings(pack.tags), "size": .integer(pack.size), "runs": .strings(pack.runs),
      "join": pack.join.map { .object(["tags": .strings($0.tags), "cost": .integer($0.cost)]) } ?? .null,
    ])
  }
}

/// The line of a terminal that says how far a search is.
final class SearchProgress {
  private let session: Session
  private let isShown: Bool
  private var last = -1

  init(_ session: Session, isShown: Bool) { (self.session, self.isShown) = (session, isShown) }

  func show(_ share: Double) {
    let percent = Int(share * 100)
    if !isShown || percent == last { return }
    last = percent
    session.explain("\rlooking for packs: \(percent) %")
  }

  func end() { if last >= 0 { session.explain("\r\(Screen.space(30))\r") } }
}

extension Manifest {
  /// What of a manifest no tags are proposed for; nil where all is plain.
  var untaggable: String? {
    if merge != nil { return "joins packs by \"merge\"" }
    if hasDestinations { return "has rules with a destination" }
    if rules.contains(where: { $0.traits != .none }) { return "has rules with traits" }
    return sources.first.map { ManifestSource(argument: $0) != .manifest } ?? false
      ? "is no Manifest.json" : nil
  }
}

extension ReleaseContents {
  /// The digest of each file, by its path in its pack.
  var digestsByPath: [String: Digest] {
    Dictionary(
      packs.indices.flatMap { contents.files(of: $0).map { (path($0), digest($0)) } },
      uniquingKeysWith: { $1 })
  }
}
