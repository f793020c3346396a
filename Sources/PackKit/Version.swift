/// The version of packtool, by the rules of semver.org.
package let packtoolVersion = "0.1.0"
