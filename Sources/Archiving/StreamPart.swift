/// Whether some bytes are the last bytes of a compressed stream.
package enum StreamPart: Sendable {
  /// Other bytes follow.
  case continued
  /// The stream ends with these bytes.
  case last
}
