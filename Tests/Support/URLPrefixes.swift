package import Model
import Pipeline

/// Lets tests write a prefix as a literal.
extension PackURLPrefix: ExpressibleByStringLiteral {
  package init(stringLiteral text: StaticString) {
    do {
      try self.init(text.description)
    } catch {
      preconditionFailure("\(text) \(error)")
    }
  }
}
