package import Model
import Pipeline

/// A prefix that a test spells out.
extension PackURLPrefix: ExpressibleByStringLiteral {
  package init(stringLiteral text: StaticString) {
    do {
      try self.init(text.description)
    } catch {
      preconditionFailure("\(text) \(error)")
    }
  }
}
