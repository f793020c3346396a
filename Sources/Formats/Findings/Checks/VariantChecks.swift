/// The checks of variants; a device gets one variant of each asset.
extension Check {
  package static let variantChecks: [Check] = [
    noVariant, gamutFallback, memoryFallback, unknownTrait, conflictingTraits, rootInCatalog,
  ]

  package static let noVariant = warning(
    "no-variant", summary: "some devices get nothing of an asset",
    explanation:
      "All its variants are for other families of devices, for more memory, for newer graphics or for P3. Add a variant "
      + "without that trait, or name the devices that count in \"devices\".")
  package static let gamutFallback = warning(
    "gamut-fallback", summary: "an asset has variants for P3 and none for sRGB",
    explanation:
      "A device whose screen shows sRGB never takes a variant for P3. Add one for sRGB, or one without a gamut."
  )
  package static let memoryFallback = warning(
    "memory-fallback", summary: "every variant of an asset wants memory",
    explanation:
      "A device with less memory than each of them wants gets nothing. Add a variant without \"memory\".")
  package static let unknownTrait = warning(
    "unknown-trait", summary: "a trait or a key of tags in an asset catalog that is not known",
    explanation:
      "The file counts for all devices, or has no tags. Most often the word is misspelt, or its value is of another type."
  )
  package static let conflictingTraits = error(
    "conflicting-traits", summary: "two rules give a file different traits",
    explanation: "A file is for one scale, one family and so on. Let only one of the rules match it.")
  package static let rootInCatalog = warning(
    "root-in-catalog", summary: "the root lies inside an asset catalog",
    explanation:
      "What stands above the root is not read, so the files count as plain ones: every device gets all of them. Name the "
      + "folder above the catalog as \"root\".")
}
