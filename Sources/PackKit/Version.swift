/// The version of packtool, by semantic versioning (semver.org).
package let packtoolVersion = "0.1.0"
