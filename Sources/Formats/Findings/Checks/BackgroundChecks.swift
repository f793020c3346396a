/// The checks for Background Assets packs.
extension Check {
  package static let backgroundChecks: [Check] = [
    invalidPackID, invalidIDMap, emptyPack, unknownPlatform, lostInBackgroundAssets, packagingFailed,
    invalidLedger, foreignLedger, rewoundLedger, obsoletePack, wrongVersion, unknownDownloadSize, infoPlist,
    invalidLanguage, sharedFile, wrongSelector,
  ]

  package static let sharedFile = warning(
    "shared-file", summary: "several imported packs select the same file",
    explanation:
      "A build never puts a file into two packs. If two packs select the same files, packtool puts these "
      + "files into a pack of their own, and an app must request that pack by its id too. `packtool import` "
      + "names the packs. Remove the file from one of their manifests, or load the new pack too, as the "
      + "function in AssetTags.swift does.")
  package static let wrongSelector = warning(
    "wrong-selector", summary: "a file selector names a folder, or a directory selector names a file",
    explanation:
      "packtool accepts a file selector for a folder, and a directory selector for a file, but ba-package "
      + "may not. Use \"directory\" for a folder and \"file\" for a file."
  )

  package static let invalidLedger = safetyRefusal(
    "invalid-ledger", summary: "the file is not a version lockfile",
    explanation:
      "A version lockfile is a JSON file that packtool writes, with a line for each pack. If Git left a "
      + "conflict, keep only one line for each pack: the line with the higher version. If both sides gave "
      + "the same version to different contents, add 1 to that version."
  )
  package static let foreignLedger = safetyRefusal(
    "foreign-ledger", summary: "a version lockfile of another app",
    explanation:
      "The versions in one app's lockfile do not apply to another app. Use a separate version lockfile for "
      + "each app.")
  package static let rewoundLedger = safetyRefusal(
    "rewound-ledger", summary: "a version lockfile that lacks a published version",
    explanation:
      "Devices download a pack again only when its version rises. If a version is used twice, or becomes "
      + "lower, devices keep the old contents. Use the newest version lockfile. If the lockfile belongs to "
      + "another series of releases, build into another folder.")
  package static let obsoletePack = warning(
    "obsolete-pack", summary: "a pack that the download manifest no longer lists",
    explanation:
      "Devices delete a pack that is no longer listed. If this is intentional, build again; the warning then "
      + "disappears."
  )
  package static let wrongVersion = error(
    "wrong-version",
    summary: "a version did not rise although the contents changed, or it rose without a change",
    explanation:
      "A pack's version must rise when its contents change, and must stay the same otherwise. Build with "
      + "--set layout.ledger=FILE, which keeps the versions."
  )
  package static let unknownDownloadSize = note(
    "unknown-download-size", summary: "a download manifest contains the sizes of files instead of archives",
    explanation:
      "Apple's tool ba-package makes the archives. Until the archives exist, a pack's downloadSize is the "
      + "size of its files. package.sh, or build --package, replaces these sizes with the sizes of the "
      + "archives.")
  package static let invalidLanguage = error(
    "invalid-language",
    summary:
      "a language is invalid, or the manifest version does not support languages",
    explanation:
      "A pack has at most one language, as a BCP 47 code such as \"de\", \"pt-BR\" or \"zh-Hans\". The key "
      + "\"languages\" in the manifest sets the languages of tags.")
  package static let infoPlist = error(
    "info-plist", summary: "an Info.plist that does not match the packs",
    explanation:
      "The system reads these keys of the Info.plist before the app runs. `packtool plan --info-plist` "
      + "prints the correct keys and values.")

  package static let invalidPackID = error(
    "invalid-pack-id", summary: "an id that App Store Connect refuses",
    explanation:
      "The id of a Background Assets pack may contain only letters, digits and hyphens, and must neither "
      + "begin nor end with a hyphen. Correct the id in the file of --id-map before you upload the pack: "
      + "after the upload, a pack with a new id would be a different pack. Packs on your own server may also "
      + "have dots in their ids; for such packs, lower the severity of this check.")
  package static let emptyPack = error(
    "empty-pack", summary: "a pack for Background Assets has 0 bytes",
    explanation:
      "A device could not download such a pack. Add content to the files of the pack, or leave the files out "
      + "with \"exclude\".")
  package static let unknownPlatform = error(
    "unknown-platform", summary: "a platform that Background Assets does not have",
    explanation:
      "Packs are for iOS, macOS, tvOS or visionOS. Packs for iPads belong to iOS. A pack without a platform "
      + "is for all four platforms."
  )
  package static let lostInBackgroundAssets = note(
    "lost-in-background-assets", summary: "a setting that Background Assets cannot express",
    explanation:
      "Background Assets downloads prefetched packs in no fixed order. It has no preservation priorities and "
      + "never purges packs, so the app itself must remove packs. Packs have no slices: variants for "
      + "different devices become separate packs.")
  package static let packagingFailed = error(
    "packaging-failed", summary: "ba-package did not make an archive",
    explanation:
      "`build --package` runs Apple's ba-package for each pack. ba-package must be on the PATH. Xcode 26 and "
      + "later contain it; for Linux it is part of the Managed Background Assets Developer Tools. The "
      + "finding shows the output of ba-package."
  )
  package static let invalidIDMap = safetyRefusal(
    "invalid-id-map", summary: "the file of --id-map is not an ID lockfile",
    explanation:
      "An ID lockfile is a JSON object. Each key is the sorted tags of a pack, joined with \"+\"; each value "
      + "is the id of that pack. Ids that are no longer used stay in the file, so that no id is assigned "
      + "twice.")
}
