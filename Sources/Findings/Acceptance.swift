/// Why a finding is accepted: the reason that the manifest gives, and the place of its entry.
package struct Acceptance: Sendable, Hashable {
  /// The number of the entry in the manifest's list.
  package let number: Int
  package let reason: String
  package let place: Place

  package init(number: Int, reason: String, place: Place) {
    self.number = number
    self.reason = reason
    self.place = place
  }
}
