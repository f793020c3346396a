import Flags
import PackKit

/// The tool as it calls itself.
enum Tool {
  static let name = "packtool"
  static let version = packtoolVersion
  static let summary = "packs an app's assets by their tags"
  /// The flags in place of a command, or in front of it.
  static let flags: [HelpSection.Row] = [
    ("-C DIR", "change to DIR before anything else; in front of the command"),
    ("-h, --help", "print this help"),
    ("-V, --version", "print the version; with --verbose also the commit and the libraries"),
  ]
}
