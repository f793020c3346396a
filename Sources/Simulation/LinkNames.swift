import Findings
import Spelling

/// The end of a message on a name that no link has: the nearest, or all.
package func linkHint(_ name: String) -> String {
  let names = NetworkLink.all.map(\.name) + [NetworkLink.noName]
  let near = nearest(to: name, in: names)
  return near == nil ? "; expected one of \(listed(names))" : suggestion(near)
}
