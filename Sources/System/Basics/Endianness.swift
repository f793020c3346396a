/// The byte order of a number.
package enum Endianness: Sendable {
  /// The most significant byte comes first.
  case big
  /// The least significant byte comes first.
  case little
}
