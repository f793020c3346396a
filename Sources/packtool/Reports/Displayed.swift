import Findings
import PackKit

/// A name on one line without quotes, and without what a terminal would obey.
func displayed(_ name: String) -> String { escaped(name) }
