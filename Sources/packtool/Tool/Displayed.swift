import Findings
import PackKit

/// A name on one line without quotes and control characters.
func displayed(_ name: String) -> String { escaped(name) }

/// A place as a line begins with it: `Manifest.json:12:5`.
func displayed(_ place: Place) -> String {
  displayed(place.path) + (place.position.map { ":\($0.line):\($0.column)" } ?? "")
}
