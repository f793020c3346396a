/// Where the next element of a JSON array, or member of an object, is.
package enum JSONItemPosition: Sendable {
  case first
  /// After another one, and a comma.
  case later
}
