import Foundation

/// A scenario of `packtool simulate`, as far as a real run can play it.
struct Scenario: Decodable {
  struct Device: Decodable {
    var space, inUse: Size?
  }

  var device: Device?
  /// Packs that come at the same time.
  var connections: Int?
  /// The network at the start.
  var link: Link?
  /// How long a player waits on a network that loses everything, as a text.
  var patience: String?
  var steps: [Step]

  /// A network, as far as the player plays it: which rate it has, only the server could change.
  enum Link: Decodable {
    case none
    case losesAll
    case other

    init(from decoder: any Decoder) {
      let name = try? decoder.singleValueContainer().decode(String.self).lowercased()
      self = name == "none" ? .none : name == "100% loss" ? .losesAll : .other
    }
  }

  /// The steps as they are executed, repeats unrolled.
  var unrolled: [Step] { Self.unrolled(steps) }

  private static func unrolled(_ steps: [Step]) -> [Step] {
    steps.flatMap { step in
      step.`repeat`.map { count in (0..<count).flatMap { _ in unrolled(step.steps ?? []) } } ?? [step]
    }
  }
}

/// One step; just one of its keys says what it does.
struct Step: Decodable {
  var install, quit, kill, staged, apply: Bool?
  var begin, conditional, preserve: [String]?
  var `as`, await, end, play, update: String?
  var priority, to: Priority?
  var space: Size?
  var link: Link?
  var `repeat`: Int?
  var steps: [Step]?

  typealias Link = Scenario.Link

  /// A number, "urgent", or the name of the request whose priority changes.
  enum Priority: Decodable {
    case number(Double)
    case text(String)

    init(from decoder: any Decoder) throws {
      let value = try decoder.singleValueContainer()
      self = try (try? value.decode(Double.self)).map(Priority.number) ?? .text(value.decode(String.self))
    }
  }
}

/// Bytes, as a number or a text such as "4 GB".
struct Size: Decodable {
  let bytes: Int64

  init(from decoder: any Decoder) throws {
    let value = try decoder.singleValueContainer()
    if let bytes = try? value.decode(Int64.self) {
      self.bytes = bytes
    } else {
      let units: [String: Double] = [
        "bytes": 1, "kB": 1e3, "MB": 1e6, "GB": 1e9, "KiB": 1024, "MiB": 1_048_576, "GiB": 1_073_741_824,
      ]
      bytes = Int64(try number(in: value.decode(String.self), units))
    }
  }
}

/// The microseconds of a text such as "1.5 s".
func microseconds(_ text: String) throws -> Int64 {
  let units: [String: Double] = [
    "us": 1, "ms": 1e3, "s": 1e6, "min": 60e6, "h": 3600e6, "day": 86_400e6, "days": 86_400e6,
  ]
  return Int64(try number(in: text, units).rounded(.up))
}

private func number(in text: String, _ units: [String: Double]) throws -> Double {
  let digits = text.prefix { $0.isNumber || $0 == "." }
  let unit = text.dropFirst(digits.count).trimmingCharacters(in: .whitespaces)
  guard let number = Double(digits), let scale = units[unit] else { throw PlayerError("\"\(text)\" is no number with a unit") }
  return number * scale
}

/// What ends a run, in words.
struct PlayerError: Error, CustomStringConvertible {
  let description: String
  init(_ description: String) { self.description = description }
}
