/// Whether the next element of an array, or the next member of an object, is the first element or member.
package enum JSONItemPosition: Sendable {
  case first
  /// The item follows another item and a comma.
  case later
}
