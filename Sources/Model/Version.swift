/// The version of packtool, by semantic versioning (semver.org).
package let packtoolVersion = "0.2.0"
/// The day of this version, for the manual.
package let packtoolDate = "2026-11-25"
