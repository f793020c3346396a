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
      "A build never puts a file into two packs: files that two packs select get a pack of their own, and an "
      + "app must request that pack by its id too. `packtool import` names the packs. Remove the file from "
      + "one of their manifests, or load the new pack too, as the function in AssetTags.swift does.")
  package static let wrongSelector = warning(
    "wrong-selector", summary: "a file selector names a folder, or a directory selector names a file",
    explanation:
      "packtool accepts both. ba-package may not: use \"directory\" for a folder and \"file\" for a file."
  )

  package static let invalidLedger = safetyRefusal(
    "invalid-ledger", summary: "the file of --ledger is not a version lockfile",
    explanation:
      "A version lockfile is JSON as packtool writes it, with a line for each pack. If Git left a conflict, "
      + "keep one line for each pack, the line with the higher version. If both sides gave the same version "
      + "to different contents, add one to that version."
  )
  package static let foreignLedger = safetyRefusal(
    "foreign-ledger", summary: "a version lockfile of another app",
    explanation: "The versions of one app mean nothing for another app. Use a separate version lockfile for "
      + "each app.")
  package static let rewoundLedger = safetyRefusal(
    "rewound-ledger", summary: "a version lockfile that lacks a published version",
    explanation:
      "Devices download a pack again only when its version rises. If a version is used twice, or falls, "
      + "devices keep the contents that they have. Use the newest version lockfile. If the lockfile belongs "
      + "to another history of releases, build into another folder.")
  package static let obsoletePack = warning(
    "obsolete-pack", summary: "a pack that the download manifest no longer lists",
    explanation:
      "Devices delete a pack that is no longer listed. If this is intentional, build again; the warning then "
      + "disappears."
  )
  package static let wrongVersion = error(
    "wrong-version",
    summary: "a version did not rise although the contents changed, or rose without a change",
    explanation:
      "A pack's version must rise when its contents change, and only then. Build with --ledger, which keeps "
      + "the versions."
  )
  package static let unknownDownloadSize = note(
    "unknown-download-size", summary: "a download manifest with the sizes of files instead of archives",
    explanation:
      "The tool ba-package makes the archives. Until they exist, a pack's downloadSize is the size of its "
      + "files. package.sh, or build --package, replaces these sizes with those of the archives.")
  package static let invalidLanguage = error(
    "invalid-language", summary: "a language that packs for Background Assets cannot have",
    explanation:
      "A pack has at most one language, a BCP 47 code such as \"de\", \"pt-BR\" or \"zh-Hans\". "
      + "\"languages\" in the manifest sets the languages of tags.")
  package static let infoPlist = error(
    "info-plist", summary: "an Info.plist that does not match the packs",
    explanation: "The system reads these keys before the app runs. `packtool plan --info-plist` prints the "
      + "right keys.")

  package static let invalidPackID = error(
    "invalid-pack-id", summary: "an id that App Store Connect would refuse",
    explanation:
      "The id of a Background Assets pack consists of letters, digits and hyphens, and neither begins nor "
      + "ends with a hyphen. Correct it in the file of --id-map before you upload the pack, because a new id "
      + "makes it another pack. Packs on your own server may also have dots; lower the severity of this "
      + "check for them.")
  package static let emptyPack = error(
    "empty-pack", summary: "a pack for Background Assets has 0 bytes",
    explanation: "A device could not download anything. Add content to the pack's files, or leave them out "
      + "with \"exclude\".")
  package static let unknownPlatform = error(
    "unknown-platform", summary: "a platform that Background Assets does not have",
    explanation:
      "Packs are for iOS, macOS, tvOS or visionOS; packs for iPads belong to iOS. A pack without a platform "
      + "is for all of them."
  )
  package static let lostInBackgroundAssets = note(
    "lost-in-background-assets", summary: "a setting that Background Assets cannot express",
    explanation:
      "Background Assets downloads prefetched packs in no fixed order, has no preservation priorities and "
      + "purges nothing: the app itself must remove packs. Packs have no slices; variants for devices become "
      + "separate packs.")
  package static let packagingFailed = error(
    "packaging-failed", summary: "ba-package did not make an archive",
    explanation:
      "`build --package` runs Apple's ba-package for each pack. ba-package comes with Xcode 26 and later, "
      + "and for Linux with the Managed Background Assets Developer Tools; it must be on the PATH. The "
      + "finding shows what ba-package printed."
  )
  package static let invalidIDMap = safetyRefusal(
    "invalid-id-map", summary: "the file of --id-map is not an ID lockfile",
    explanation:
      "An ID lockfile is a JSON object: each key is a pack's sorted tags joined with \"+\", and its value is "
      + "the pack's id. Ids that are no longer used stay in the file, so that no id is given twice.")
}
