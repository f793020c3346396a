import Findings
import Formats

extension Traits {
  private static let keys: [ManifestKey<Traits>] = [
    ManifestKey("idiom", "The family of devices", .choice(Idiom.allCases.map(\.rawValue))) {
      value, traits, values in
      traits.idiom = values.text(value).flatMap { Idiom(rawValue: $0.value) }
    },
    ManifestKey("scale", "Pixels to a point of the screen", .number(in: scales)) { value, traits, values in
      traits.scale = values.size(value).map(Int.init)
    },
    ManifestKey("memory", "The gigabytes that a device must have at least", .number(in: memories)) {
      value, traits, values in
      traits.memory = values.size(value).map(Int.init)
    },
    ManifestKey(
      "graphics", "The class of graphics that a device must have, or fall back to",
      .choice(GraphicsClass.allCases.map(\.rawValue))
    ) { value, traits, values in
      traits.graphics = values.text(value).flatMap { GraphicsClass(rawValue: $0.value) }
    },
    ManifestKey("gamut", "The colours that the screen shows", .choice(Gamut.allCases.map(\.rawValue))) {
      value, traits, values in
      traits.gamut = values.text(value).flatMap { Gamut(rawValue: $0.value) }
    },
  ]

  static let shape = ObjectShape(keys: keys.map(\.shape))

  /// Reads traits from JSON; mistakes, which were reported, leave a trait out.
  init(_ value: JSONValue, _ values: ManifestValues) {
    self.init()
    values.read(value, into: &self, by: Self.keys)
  }
}
