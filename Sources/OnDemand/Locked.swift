import Foundation

/// A value that only one thread can use at a time.
package final class Locked<Value>: @unchecked Sendable {
  private let lock = NSLock()
  private var value: Value

  package init(_ value: consuming sending Value) { self.value = value }

  package func withLock<Result, E: Error>(_ body: (inout Value) throws(E) -> Result) throws(E) -> Result {
    lock.lock()
    defer { lock.unlock() }
    return try body(&value)
  }
}
