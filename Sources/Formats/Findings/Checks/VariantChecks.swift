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
      "All variants are for other device families, for more memory, for newer graphics or for P3. Add a "
      + "variant without that trait, or list the devices that you support in \"devices\".")
  package static let gamutFallback = warning(
    "gamut-fallback", summary: "an asset has variants for P3 but none for sRGB",
    explanation:
      "A device with an sRGB screen never gets a variant for P3. Add a variant for sRGB, or a variant "
      + "without a gamut."
  )
  package static let memoryFallback = warning(
    "memory-fallback", summary: "every variant of an asset requires memory",
    explanation:
      "A device with less memory than every variant requires gets no variant. Add a variant without "
      + "\"memory\".")
  package static let unknownTrait = warning(
    "unknown-trait", summary: "an asset catalog has an unknown trait or tag key",
    explanation:
      "The file counts for all devices, or has no tags. The word is probably misspelt, or its value has "
      + "another type."
  )
  package static let conflictingTraits = error(
    "conflicting-traits", summary: "two rules give a file different traits",
    explanation: "A file can have only one scale, one family and so on. Let only one of the rules match it.")
  package static let rootInCatalog = warning(
    "root-in-catalog", summary: "the root is inside an asset catalog",
    explanation:
      "packtool does not read folders above the root, so the files count as plain files and every device "
      + "gets all of them. Name the folder above the catalog as \"root\".")
}
