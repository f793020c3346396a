/// Where bytes are in a compressed stream.
package enum StreamPart: Sendable {
  /// Other bytes follow.
  case continued
  /// The stream ends with them.
  case last
}
