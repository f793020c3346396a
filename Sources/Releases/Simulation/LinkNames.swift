import Spelling

/// The name of a link that a word was probably meant to be; nil where none is near.
package func nearestLink(to name: String) -> String? {
  nearest(to: name, in: NetworkLink.all.map(\.name) + [NetworkLink.noName])
}
