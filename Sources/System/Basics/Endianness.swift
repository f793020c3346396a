/// The order of the bytes of a number.
package enum Endianness: Sendable {
  /// The highest byte is first.
  case big
  /// The lowest byte is first.
  case little
}
