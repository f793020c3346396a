/// Whether the next element of an array, or member of an object, is the first.
package enum JSONItemPosition: Sendable {
  case first
  /// The item follows another one and a comma.
  case later
}
