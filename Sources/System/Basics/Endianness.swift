/// The byte order of a number.
package enum Endianness: Sendable {
  /// The most significant byte is first.
  case big
  /// The least significant byte is first.
  case little
}
