import Findings
import PackKit

/// A name on one line without quotes and control characters.
func displayed(_ name: String) -> String { escaped(name) }
