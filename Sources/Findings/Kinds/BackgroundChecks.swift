/// Checks of packs for Background Assets.
extension Check {
  package static let backgroundChecks: [Check] = [
    invalidPackID, invalidIDMap, emptyPack, unknownPlatform, lostInBackgroundAssets, packagingFailed,
  ]

  package static let invalidPackID = error(
    "invalid-pack-id", "an id that App Store Connect would refuse",
    "The id of a Background Assets pack has letters, digits and hyphens, none first or last. Correct it in the file of "
      + "--id-map before the pack is uploaded: with another id it is another pack. Packs on a server of your own may have "
      + "dots too; lower this check for them.")
  package static let emptyPack = error(
    "empty-pack", "a pack for Background Assets without a byte",
    "There is nothing to download. Give its files content, or leave them out with \"exclude\".")
  package static let unknownPlatform = error(
    "unknown-platform", "a platform that Background Assets does not have",
    "Packs are for iOS, macOS, tvOS and visionOS; those for iPads are iOS's. Without any platform a pack is for all."
  )
  package static let lostInBackgroundAssets = note(
    "lost-in-background-assets", "what Background Assets cannot express",
    "Background Assets download prefetched packs in no order, keep no preservation priorities and purge nothing: an app "
      + "removes packs itself. Packs have no slices; variants for devices are packs of their own.")
  package static let packagingFailed = error(
    "packaging-failed", "ba-package did not make an archive",
    "`build --package` runs Apple's ba-package for each pack. It comes with Xcode 26 and later, and as Managed "
      + "Background Assets Developer Tools for Linux; it must be on the PATH. What it said is told with the finding."
  )
  package static let invalidIDMap = safetyRefusal(
    "invalid-id-map", "the file of --id-map is not a map of ids",
    "It is an object in JSON: the key is a pack's sorted tags with \"+\" between, the value its id. Ids that are no longer "
      + "used stay in it, for none may be given again.")
}
