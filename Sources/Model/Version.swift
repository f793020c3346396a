/// The version of packtool, according to semantic versioning (semver.org).
package let packtoolVersion = "0.2.0"
/// The date of this version.
///
/// The manual pages show it.
package let packtoolDate = "2026-11-25"
