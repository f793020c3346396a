/// A value that is made when it is first asked for, once for all threads.
package final class Deferred<Value: Sendable>: Sendable {
  private let made = Monitor<Value?>(nil)
  private let make: @Sendable () -> Value

  /// A value that the closure will make.
  package init(_ make: @escaping @Sendable () -> Value) { self.make = make }

  /// The value; others who ask for it meanwhile wait.
  package var value: Value {
    made.change { made in
      if let made { return made }
      let value = make()
      made = value
      return value
    }
  }
}
