package import Model
import Pipeline

/// Makes it possible to write a prefix as a literal in tests.
extension PackURLPrefix: ExpressibleByStringLiteral {
  package init(stringLiteral text: StaticString) {
    do {
      try self.init(text.description)
    } catch {
      preconditionFailure("\(text) \(error)")
    }
  }
}
