import Formats
import PackKit
import Projects

/// A step as it is read.
struct StepDraft {
  var action: ScenarioStep.Action?
  /// The offset of the step's own value.
  var offset = 0
  /// How often the steps below it are done; nil for a step without any.
  var count: Int64?
  var steps: [StepDraft] = []

  // The values of its keys.
  var tags: [String] = []
  var name = ""
  var request = ""
  var number = 0.0
  var priority = LoadingPriority.standard

  /// A kind of step: the key that tells it, and all that it may have.
  struct Kind: Sendable {
    let keys: [ManifestKey<StepDraft>]
    /// Makes the step's action of the values.
    let finish: @Sendable (JSONValue, inout StepDraft, ManifestValues) -> Void

    /// A kind whose first key tells it.
    init(
      _ keys: ManifestKey<StepDraft>...,
      finish: @escaping @Sendable (JSONValue, inout StepDraft, ManifestValues) -> Void
    ) {
      self.keys = keys
      self.finish = finish
    }

    var name: String { keys[0].shape.name }
  }

  /// The kinds of steps in the order of the schema; one whose key another may have, too, comes after that.
  static let kinds: [Kind] = [
    install, begin, conditional, waiting, end, priority, preserve, play, link, space, quit, update, repeated,
  ]

  static let shape = Shape.variants(name: "step") { shapes }

  /// The shapes of all kinds, in their order.
  static let shapes = kinds.map { ObjectShape(keys: $0.keys.map(\.shape)) }

  /// A step from its JSON; nil where it is of no kind, which was reported.
  init?(_ value: JSONValue, _ values: ManifestValues) {
    guard let kind = Self.kinds.first(where: { value.member($0.name) != nil }),
      let own = value.member(kind.name)
    else { return nil }
    offset = own.offset
    values.read(value, into: &self, by: kind.keys)
    kind.finish(own, &self, values)
  }
}

extension StepDraft {
  private static let install = Kind(
    ManifestKey(
      "install", "Downloads the app and the initial install; only as the first step", .yes,
      isRequired: true
    ) { _, _, _ in }
  ) { _, step, _ in step.action = .install }

  private static let begin = Kind(
    tagsKey("begin", "Asks for all packs of some tags"), asKey,
    ManifestKey(
      "priority", "How soon its packs are loaded: 0 to 1, higher first, or \"urgent\" before all others",
      priorityShape
    ) { value, step, _ in step.priority = LoadingPriority(value) }
  ) { _, step, _ in step.action = .begin(step.tags, as: step.request, step.priority) }

  private static let conditional = Kind(
    tagsKey("conditional", "Takes the packs of some tags into use if all are there"), asKey
  ) { _, step, _ in step.action = .conditional(step.tags, as: step.request) }

  private static let waiting = Kind(nameKey("await", "Waits until a request is available")) { _, step, _ in
    step.action = .await(step.name)
  }

  private static let end = Kind(nameKey("end", "Closes a request; nothing is deleted")) { _, step, _ in
    step.action = .end(step.name)
  }

  private static let priority = Kind(
    nameKey("priority", "Changes how soon the packs of a request are loaded"),
    ManifestKey("to", "0 to 1, or \"urgent\"", priorityShape, isRequired: true) { value, step, _ in
      step.priority = LoadingPriority(value)
    }
  ) { _, step, _ in step.action = .priority(step.name, to: step.priority) }

  private static let preserve = Kind(
    tagsKey("preserve", "Says how much the packs of some tags are worth keeping"),
    ManifestKey("to", "0 to 1; the lowest is purged first", .fraction, isRequired: true) { value, step, _ in
      step.number = value.fraction ?? 0
    }
  ) { _, step, _ in step.action = .preserve(step.tags, to: step.number) }

  private static let play = Kind(
    ManifestKey("play", "Lets time pass", .text(.duration), isRequired: true) { _, _, _ in }
  ) { value, step, values in step.action = .play(values.duration(value) ?? 0) }

  private static let link = Kind(
    ManifestKey(
      "link", "Changes the link", .either(.text(.linkName), or: .object(LinkDraft.shape)),
      isRequired: true
    ) { _, _, _ in }
  ) { value, step, values in step.action = .link(NetworkLink.read(value, values)) }

  private static let space = Kind(
    ManifestKey("space", "Changes the bytes that packs may take up", .size, isRequired: true) { _, _, _ in }
  ) { value, step, values in step.action = .space(values.size(value) ?? 0) }

  private static let quit = Kind(
    ManifestKey("quit", "Closes all requests", .yes, isRequired: true) { _, _, _ in }
  ) { _, step, _ in step.action = .quit }

  private static let update = Kind(
    nameKey("update", "Puts a new release in place: a manifest or a built folder, relative to the scenario")
  ) { _, step, _ in step.action = .update(step.name) }

  private static let repeated = Kind(
    ManifestKey("repeat", "Does the steps below so many times", .wholeNumber, isRequired: true) {
      value, step, _ in step.count = value.wholeNumber
    },
    ManifestKey("steps", "The steps to repeat", .list(of: shape, atLeast: 0), isRequired: true) {
      value, step, values in
      step.steps = value.elements?.compactMap { StepDraft($0, values) } ?? []
    }
  ) { _, _, _ in }

  private static let priorityShape = Shape.either(.fraction, or: .choice(["urgent"]))

  private static let asKey = ManifestKey<StepDraft>(
    "as", "The name of the request, for the steps that follow", .text(.anything), isRequired: true
  ) { value, step, _ in
    step.request = value.string ?? ""
  }

  private static func tagsKey(_ name: String, _ summary: String) -> ManifestKey<StepDraft> {
    ManifestKey(name, summary, .list(of: .text(.anything), atLeast: 1), isRequired: true) {
      value, step, values in
      step.tags = values.texts(value).map(\.value)
    }
  }

  private static func nameKey(_ name: String, _ summary: String) -> ManifestKey<StepDraft> {
    ManifestKey(name, summary, .text(.anything), isRequired: true) { value, step, _ in
      step.name = value.string ?? ""
    }
  }
}

extension LoadingPriority {
  fileprivate init(_ value: JSONValue) { self = value.fraction.map(LoadingPriority.level) ?? .urgent }
}

/// The JSON Schema of scenarios, written from the same list of keys as the reader goes by.
package enum ScenarioSchema {
  /// The whole text that `packtool schema scenario` prints.
  package static var text: String {
    let kinds = StepDraft.shapes.map(\.schema)
    let steps: [(String, JSONText)] = [
      ("$defs", .ordered([("step", .ordered([("anyOf", .array(kinds))]))]))
    ]
    return ScenarioDraft.shape.schemaFile(
      title: "packtool scenario", "What a player does, for packtool to say what it makes them wait for.",
      steps)
  }
}
