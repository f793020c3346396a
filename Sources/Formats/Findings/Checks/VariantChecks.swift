/// The checks for variants.
///
/// A device gets one variant of each asset.
extension Check {
  package static let variantChecks: [Check] = [
    noVariant, gamutFallback, memoryFallback, unknownTrait, conflictingTraits, rootInCatalog,
  ]

  package static let noVariant = warning(
    "no-variant", summary: "some devices get no variant of an asset",
    explanation:
      "All variants of the asset need traits that these devices do not have: another device family, more "
      + "memory, newer graphics or P3. Add a variant without that trait, or list the devices that you "
      + "support in \"devices\".")
  package static let gamutFallback = warning(
    "gamut-fallback", summary: "an asset has variants for P3 but none for sRGB",
    explanation:
      "A device with an sRGB screen never gets a variant for P3. Add a variant for sRGB, or a variant "
      + "without a gamut."
  )
  package static let memoryFallback = warning(
    "memory-fallback", summary: "every variant of an asset requires memory",
    explanation:
      "Some devices have less memory than every variant requires, so they get no variant. Add a variant "
      + "without \"memory\".")
  package static let unknownTrait = warning(
    "unknown-trait", summary: "an asset catalog contains an unknown trait or an unknown key for tags",
    explanation:
      "packtool treats the file as a file for all devices, or without tags. The word is probably misspelled, "
      + "or its value has the wrong type."
  )
  package static let conflictingTraits = error(
    "conflicting-traits", summary: "two rules give a file different traits",
    explanation:
      "A file can have only one scale, one device family and so on. Change the rules so that only one of "
      + "them matches the file.")
  package static let rootInCatalog = warning(
    "root-in-catalog", summary: "the root is inside an asset catalog",
    explanation:
      "packtool does not read folders above the root. So it treats the files as plain files, and every "
      + "device gets all of them. Set \"root\" to the folder above the catalog.")
}
