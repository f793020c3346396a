/// A value with its offset in the text.
package struct Located<Value: Sendable>: Sendable {
  package let value: Value
  package let offset: Int

  // Inlined, since there is one for each tag of a manifest.
  @inlinable
  package init(_ value: Value, at offset: Int) {
    self.value = value
    self.offset = offset
  }
}
