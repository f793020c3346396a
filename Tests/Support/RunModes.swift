import Foundation

/// Whether tests that take long are run: by hand, with `PACKTOOL_LONG_TESTS` in the environment.
package let isLongRun = ProcessInfo.processInfo.environment["PACKTOOL_LONG_TESTS"] != nil

/// Whether programs are run under a sanitizer, which takes several times their memory and time: `.ci/sanitize` says so.
package let isSanitized = sanitizer != nil

/// Whether it is that of threads, which maps files of its own.
package let isThreadSanitized = sanitizer == "thread"

private let sanitizer = ProcessInfo.processInfo.environment["PACKTOOL_SANITIZED"]

/// Whether sampled tests try everything: `.ci/nightly` sets `PACKTOOL_WHOLE`, a push tries samples.
package let isWhole = ProcessInfo.processInfo.environment["PACKTOOL_WHOLE"] != nil

/// How often a test tries: `few` times where somebody waits, `all` times in the nightly run.
package func sample(_ few: Int, of all: Int) -> Int { isWhole ? all : few }

/// Returns `few` of the arguments, from the first to the last at equal distances; all of them in the nightly run.
package func sample<Element>(_ few: Int, of all: [Element]) -> [Element] {
  if isWhole || few >= all.count { return all }
  return (0..<few).map { all[$0 * (all.count - 1) / max(few - 1, 1)] }
}

/// Whether no other test runs at the same time, so that seconds can be compared: a step of its own in `.ci/run`.
package let isAlone = ProcessInfo.processInfo.environment["PACKTOOL_ALONE"] != nil

/// Whether the build has only the calls of POSIX, by the trait `Portable`.
package let isPortable: Bool = {
  #if Portable
    true
  #else
    false
  #endif
}()

/// The minutes after which a test, or what it waits for, is taken to hang.
///
/// All tests of a run start together and then wait for a processor, so each can last as long as the whole run. This is
/// several times the run on the slowest machine, so that no test fails for its speed.
let minutesOfHanging = isWhole ? 900 : 60
