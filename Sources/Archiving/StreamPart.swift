/// The position of some bytes in a compressed stream.
package enum StreamPart: Sendable {
  /// Other bytes follow.
  case continued
  /// The stream ends with these bytes.
  case last
}
