/// A value with its offset in the source text.
package struct Located<Value: Sendable>: Sendable {
  package let value: Value
  package let offset: Int

  // The initializer is inlinable for speed, because a manifest has one located value for each tag.
  @inlinable
  package init(_ value: Value, at offset: Int) {
    self.value = value
    self.offset = offset
  }
}
