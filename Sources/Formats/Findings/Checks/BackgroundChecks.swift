/// The checks of packs for Background Assets.
extension Check {
  package static let backgroundChecks: [Check] = [
    invalidPackID, invalidIDMap, emptyPack, unknownPlatform, lostInBackgroundAssets, packagingFailed,
    invalidLedger, foreignLedger, rewoundLedger, obsoletePack, wrongVersion, unknownDownloadSize, infoPlist,
    invalidLanguage, sharedFile, wrongSelector,
  ]

  package static let sharedFile = warning(
    "shared-file", summary: "imported packs that select the same file",
    explanation:
      "In a build no file is in two packs: files that two packs select get a pack of their own, which an app has to ask for "
      + "by its id. `packtool import` names the packs. Take the file out of one of their manifests, or load the new pack "
      + "too, as the function in AssetTags.swift does.")
  package static let wrongSelector = warning(
    "wrong-selector", summary: "a selector for files that names a folder, or the other way round",
    explanation:
      "packtool takes what is there. ba-package may not: use \"directory\" for a folder and \"file\" for a file."
  )

  package static let invalidLedger = safetyRefusal(
    "invalid-ledger", summary: "the file of --ledger is not a ledger of versions",
    explanation:
      "It is JSON as packtool writes it, with a line for each pack. Where git left a conflict, keep one line for each pack, "
      + "that with the higher version; where both sides gave the same version to different contents, raise it by one."
  )
  package static let foreignLedger = safetyRefusal(
    "foreign-ledger", summary: "a ledger of another app",
    explanation: "Versions of one app say nothing of another's. Each app has its ledger.")
  package static let rewoundLedger = safetyRefusal(
    "rewound-ledger", summary: "a ledger that does not know a version which was published",
    explanation:
      "Devices fetch a pack again when its version rises. A version that is given twice, or falls, leaves them with what they "
      + "have. Take the newest ledger, or build into another folder where this one is of another history.")
  package static let obsoletePack = warning(
    "obsolete-pack", summary: "a pack that the download manifest no longer lists",
    explanation:
      "Devices delete a pack that is not listed any more. Where that is meant, build once more, and the warning is gone."
  )
  package static let wrongVersion = error(
    "wrong-version", summary: "a version that did not rise with the contents, or rose without a change",
    explanation:
      "A pack's version rises when its contents change, and never else. Build with --ledger, which keeps the versions."
  )
  package static let unknownDownloadSize = note(
    "unknown-download-size", summary: "a download manifest with sizes of files in place of archives",
    explanation:
      "Archives are made by ba-package. Until they are here, a pack's downloadSize is the size of its files; package.sh, or "
      + "build --package, puts those of the archives in their place.")
  package static let invalidLanguage = error(
    "invalid-language", summary: "a language that packs for Background Assets do not have",
    explanation:
      "A pack has one language of BCP 47, such as \"de\", \"pt-BR\" or \"zh-Hans\", or none. Tags get theirs by \"languages\" in the "
      + "manifest.")
  package static let infoPlist = error(
    "info-plist", summary: "an Info.plist that does not fit the packs",
    explanation: "The system reads these keys before the app runs. `packtool plan --info-plist` prints them.")

  package static let invalidPackID = error(
    "invalid-pack-id", summary: "an id that App Store Connect would refuse",
    explanation:
      "The id of a Background Assets pack has letters, digits and hyphens, none first or last. Correct it in the file of "
      + "--id-map before the pack is uploaded: with another id it is another pack. Packs on a server of your own may have "
      + "dots too; lower this check for them.")
  package static let emptyPack = error(
    "empty-pack", summary: "a pack for Background Assets without a byte",
    explanation: "There is nothing to download. Give its files content, or leave them out with \"exclude\".")
  package static let unknownPlatform = error(
    "unknown-platform", summary: "a platform that Background Assets does not have",
    explanation:
      "Packs are for iOS, macOS, tvOS and visionOS; those for iPads are iOS's. Without any platform a pack is for all."
  )
  package static let lostInBackgroundAssets = note(
    "lost-in-background-assets", summary: "what Background Assets cannot express",
    explanation:
      "Background Assets download prefetched packs in no order, keep no preservation priorities and purge nothing: an app "
      + "removes packs itself. Packs have no slices; variants for devices are packs of their own.")
  package static let packagingFailed = error(
    "packaging-failed", summary: "ba-package did not make an archive",
    explanation:
      "`build --package` runs Apple's ba-package for each pack. It comes with Xcode 26 and later, and as Managed "
      + "Background Assets Developer Tools for Linux; it must be on the PATH. What it said is told with the finding."
  )
  package static let invalidIDMap = safetyRefusal(
    "invalid-id-map", summary: "the file of --id-map is not a map of ids",
    explanation:
      "It is an object in JSON: the key is a pack's sorted tags with \"+\" between, the value its id. Ids that are no longer "
      + "used stay in it, for none may be given again.")
}
