import Formats
import PackKit
import Projects

/// The JSON Schema of scenarios, written from the same list of keys as the reader goes by.
package enum ScenarioSchema {
  /// The whole text that `packtool schema scenario` prints.
  package static var text: String {
    guard case .ordered(let members) = ScenarioDraft.shape.schema else { return "" }
    let head: [(String, JSONText)] = [
      ("$schema", .string("https://json-schema.org/draft/2020-12/schema")),
      ("title", .string("packtool scenario")),
      ("description", .string("What a player does, for packtool to say what it makes them wait for.")),
    ]
    let kinds = StepDraft.shapes.map(\.schema)
    let steps: [(String, JSONText)] = [
      ("$defs", .ordered([("step", .ordered([("anyOf", .array(kinds))]))]))
    ]
    return JSONText.ordered(head + members + steps).text
  }
}
