import Formats
import Model

/// The sizes that decide which files get tags of their own.
///
/// A proposal follows one rule of thumb. An app needs every file from its start, with two exceptions:
/// - It needs one member of a family at a time: one level, one language, one theme. Each member gets a tag.
/// - It can start without music, sounds and films. Each such folder gets a tag.
///
/// All other large folders get tags in the initial install. Small files stay in the app bundle, which devices
/// download together with the initial install. Few large tags are easier to read and to request than many small
/// ones, so a tag or a family must be worth it.
struct ProposalSizes {
  /// The minimum size in bytes of a folder, or of a whole family, that gets tags.
  let small: Int64

  /// The maximum size in bytes of a tag.
  ///
  /// Stores advise 64 MB, and packtool reports tags that are almost as large.
  static let tag: Int64 = 57_000_000
  /// The maximum size in bytes of a folder such as `fonts` that stays in the app bundle.
  static let essential: Int64 = 10_000_000
  /// The minimum mean size in bytes of the files that get a tag each.
  ///
  /// Smaller downloads take longer to request than to transfer.
  static let member: Int64 = 64_000
  /// The minimum size in bytes of the languages of another folder if an app has tags for languages anyway.
  static let otherLanguages: Int64 = 100_000
  /// The maximum size in bytes of the files that devices download before an app starts.
  ///
  /// Devices ask users before they download more than 200 MB over cellular, and the app itself needs space, too.
  static let initialInstall: Int64 = 170_000_000
  /// The maximum number of members of a family.
  static let members = 200

  /// Creates the sizes for assets with a total size in bytes.
  ///
  /// In a small app, the same parts matter as in a large one.
  init(whole: Int64) { small = min(2_000_000, whole / 10) }
}
