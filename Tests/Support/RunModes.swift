import Foundation

/// Whether tests that take long are run: by hand, with `PACKTOOL_LONG_TESTS` in the environment.
package let isLongRun = ProcessInfo.processInfo.environment["PACKTOOL_LONG_TESTS"] != nil

/// Whether programs are run under a sanitizer, which takes several times their memory and time: `.ci/sanitize` says so.
package let isSanitized = sanitizer != nil

/// Whether it is that of threads, which maps files of its own.
package let isThreadSanitized = sanitizer == "thread"

private let sanitizer = ProcessInfo.processInfo.environment["PACKTOOL_SANITIZED"]
