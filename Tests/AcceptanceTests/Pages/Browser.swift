import Foundation
import Support
import Testing

/// Headless Chromium, controlled by Tests/Fixtures/Browser/browse.py.
struct Browser {
  /// The instructions for one page.
  struct Visit: Encodable {
    var page: String
    var mode = "plain"
    var width = 1440
    var dark = false
    var actions: [[String]] = []
    /// The body of a JavaScript function that runs in the page.
    var script = "return null"
  }

  /// The result of a visit.
  struct Result: Decodable {
    let value: JSON
    let console: [String]
    let requests: [String]
    let served: [String]
  }

  static let isInstalled =
    Support.isInstalled("chromedriver") && Support.isInstalled("chromium") && Python.plain != nil

  /// Opens pages in a folder, one after another, and returns the results.
  static func visit(_ visits: [Visit], in folder: TemporaryFolder) throws -> [Result] {
    let steps = String(decoding: try JSONEncoder().encode(visits), as: UTF8.self)
    // The name must be unique, because suites that run at the same time use the same folder.
    let name = "visits-\(UUID().uuidString).json"
    try folder.write(name, steps)
    let run = try Support.run(
      "bash", ["-c", "python3 '\(packageFolder)/Tests/Fixtures/Browser/browse.py' . < \(name)"],
      in: folder.path)
    try #require(run.status == 0, "\(run.errors)")
    return try JSONDecoder().decode([Result].self, from: Data(run.output.utf8))
  }
}

/// Any JSON value.
enum JSON: Decodable, Equatable {
  case null
  case bool(Bool)
  case number(Double)
  case text(String)
  case list([JSON])
  case object([String: JSON])

  init(from decoder: any Decoder) throws {
    let value = try decoder.singleValueContainer()
    if value.decodeNil() {
      self = .null
    } else if let bool = try? value.decode(Bool.self) {
      self = .bool(bool)
    } else if let number = try? value.decode(Double.self) {
      self = .number(number)
    } else if let text = try? value.decode(String.self) {
      self = .text(text)
    } else if let list = try? value.decode([JSON].self) {
      self = .list(list)
    } else {
      self = .object(try value.decode([String: JSON].self))
    }
  }

  subscript(key: String) -> JSON {
    if case .object(let members) = self { members[key] ?? .null } else { .null }
  }
  var list: [JSON] { if case .list(let list) = self { list } else { [] } }
  var text: String { if case .text(let text) = self { text } else { "" } }
  var number: Int? { if case .number(let number) = self { Int(number) } else { nil } }
}
