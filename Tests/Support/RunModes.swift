import Foundation

/// Whether long tests run.
///
/// They run only if `PACKTOOL_LONG_TESTS` is set in the environment.
package let isLongRun = ProcessInfo.processInfo.environment["PACKTOOL_LONG_TESTS"] != nil

/// Whether programs run under a sanitizer.
///
/// With a sanitizer, they need several times as much memory and time. `.ci/sanitize` sets the variable.
package let isSanitized = sanitizer != nil

/// Whether the sanitizer is the thread sanitizer.
///
/// It maps additional files.
package let isThreadSanitized = sanitizer == "thread"

private let sanitizer = ProcessInfo.processInfo.environment["PACKTOOL_SANITIZED"]

/// Whether sampled tests try all cases.
///
/// `.ci/nightly` sets `PACKTOOL_WHOLE`; runs for a push only try samples.
package let isWhole = ProcessInfo.processInfo.environment["PACKTOOL_WHOLE"] != nil

/// Returns the number of cases that a test tries: `few` for a push, because somebody waits for the result,
/// and `all` in the nightly run.
package func sample(_ few: Int, of all: Int) -> Int { isWhole ? all : few }

/// Returns `few` of the elements, at equal distances from the first to the last.
///
/// In the nightly run, returns all elements.
package func sample<Element>(_ few: Int, of all: [Element]) -> [Element] {
  if isWhole || few >= all.count { return all }
  return (0..<few).map { all[$0 * (all.count - 1) / max(few - 1, 1)] }
}

/// Whether no other test runs at the same time, so that times can be compared.
///
/// `.ci/run` has a separate step for such tests.
package let isAlone = ProcessInfo.processInfo.environment["PACKTOOL_ALONE"] != nil

/// Whether the package was built with the trait `Portable`, which restricts packtool to POSIX calls.
package let isPortable: Bool = {
  #if Portable
    true
  #else
    false
  #endif
}()

/// The number of minutes after which a test is considered to hang.
///
/// All tests of a run start together and then wait for a processor, so each can last as long as the whole
/// run. The number is several times the duration of a run on the slowest machine, so that no test fails only
/// because the machine is slow.
let minutesOfHanging = isWhole ? 900 : 60
