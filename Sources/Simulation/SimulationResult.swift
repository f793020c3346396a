/// The result of playing a scenario; times are microseconds from its start.
package struct SimulationResult: Sendable {
  /// The link at the start; nil where there was no network.
  package var link: NetworkLink?
  /// The steps that were done, in order.
  package var steps: [Step] = []
  package var requests: [Request] = []
  /// Every pack of every release, by identifier.
  package var packs: [Pack] = []
  package var summary = Summary()
  /// The transfers of the link, in order; empty if not requested.
  package var transfers: [Transfer] = []
  /// The purged packs, in order; empty if not requested.
  package var purges: [Purge] = []

  /// When a step was begun and done.
  package struct Step: Sendable {
    /// The step by its place in the scenario's `steps`.
    package let source: Int
    package let from: Int64
    package var to: Int64
  }

  /// The outcome of a request.
  package struct Request: Sendable {
    package let name: String
    package let tags: [String]
    /// The step that began it, by its place in `steps`.
    package let step: Int
    package let began: Int64
    package var available: Int64?
    package var ended: Int64?
    /// Time in `await` on it.
    package var waited: Int64 = 0
    package var error: SimulatedError?
  }

  /// The change of a pack.
  package struct Pack: Sendable {
    package let id: String
    /// How often it arrived whole.
    package var downloads = 0
    /// Bytes that came over the link.
    package var transferred: Int64 = 0
    package var purges = 0
  }

  /// The result of the run.
  package struct Summary: Sendable, Hashable {
    package var installed: Int64?
    package var stalls = 0
    package var stalled: Int64 = 0
    package var transferred: Int64 = 0
    /// Bytes of indexes and lists of patches that updates fetch, which take no time here.
    package var indexes: Int64 = 0
    package var unused: Int64 = 0
    package var purges = 0
    package var purged: Int64 = 0
    package var overPurged: Int64 = 0
    package var peakStored: Int64 = 0
    package var peakInUse: Int64 = 0
    package var errors = 0
    package var end: Int64 = 0
  }

  /// A time during which the link served one pack.
  package struct Transfer: Sendable {
    /// The pack by its place in `packs`; nil for the app.
    package let pack: Int?
    /// Whether a request wanted it when the link began on it.
    package let isForRequest: Bool
    package let from: Int64
    package let to: Int64
    /// Bytes that came.
    package let bytes: Int64
    /// Whether the pack arrived whole.
    package let isComplete: Bool
  }

  /// A pack that was purged.
  package struct Purge: Sendable {
    /// The pack by its place in `packs`.
    package let pack: Int
    package let time: Int64
    /// Bytes that became free.
    package let size: Int64
    /// The pack that needed the space; nil where the space itself became less.
    package let cause: Int?
  }
}

/// Why a request or an install failed; the raw value is its name in JSON.
package enum SimulatedError: String, Sendable, CaseIterable {
  case invalidTag = "invalid-tag"
  case inUseLimit = "in-use-limit"
  case offline
  case outOfSpace = "out-of-space"
}

/// A step that is impossible at its position, which only a run shows.
package struct ScenarioMistake: Error, Hashable {
  /// The mistake.
  package enum Kind: Hashable, Sendable {
    /// A name is given to a second request while the first is open.
    case nameInUse(String)
    /// No request has had the name.
    case unknownName(String)
    case requestsOpenAtUpdate([String])
    case installNotFirst
    case unknownRelease(String)
    /// The time is more than can be counted.
    case endless
    case tooManyPins
    /// Steps and packs together take too long to play.
    case tooMuchWork
  }

  package let kind: Kind
  /// The step, by its place in the scenario's `steps`.
  package let source: Int
}
