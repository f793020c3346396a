/// The checks for built folders.
extension Check {
  package static let builtFolderChecks: [Check] = [
    missingIndex, damagedIndex, missingPack, publishedElsewhere, damagedPack, wrongContents, damagedPatch,
    damagedSignature, expiredRelease, notInIndex, existingFile, unknownFile,
  ]

  package static let missingIndex = error(
    "missing-index", summary: "there is no index.json",
    explanation:
      "A build writes index.json last, so every complete built folder contains this file. Name such a "
      + "folder, or build again."
  )
  package static let damagedIndex = error(
    "damaged-index", summary: "the index or the contents list differs from the file that a build wrote",
    explanation:
      "Apps and servers rely on index.json and on the contents list that it names. Both files must be "
      + "complete and must agree with each other. Build again, or copy the folder again from an undamaged "
      + "copy.")
  package static let missingPack = error(
    "missing-pack", summary: "a pack that the index lists does not exist",
    explanation:
      "An app that requests the tags of this pack would get nothing. Copy the folder again, and copy the "
      + "packs before index.json; or build again.")
  package static let publishedElsewhere = note(
    "published-elsewhere", summary: "a pack that the index lists is in the folder of another release",
    explanation:
      "`build --onto` reused the pack from another release, so this folder does not contain the archive of "
      + "the pack. Publish this folder where that release is published, and keep all packs there that "
      + "index.json lists.")
  package static let damagedPack = error(
    "damaged-pack", summary: "a pack differs from the file that the build wrote",
    explanation:
      "The size or digest of the pack differs from the index, or the pack cannot be read. Copy the pack "
      + "again from an undamaged copy, or build again.")
  package static let wrongContents = error(
    "wrong-contents", summary: "a pack contains other files than the index says",
    explanation:
      "The archive is undamaged, but its files differ from the index or the contents list. So another "
      + "program wrote either the archive or the lists. Build again.")
  package static let damagedPatch = error(
    "damaged-patch",
    summary: "a patch is missing or damaged, or produces other contents than the index lists",
    explanation:
      "If a patch fails, a device downloads the whole pack, so players download more than necessary. Copy "
      + "the folder \"patches\" again, or build again with the same \"--patch-from\". With \"--patch-from "
      + "OLD\", `packtool verify` applies each patch to OLD and compares the result.")
  package static let damagedSignature = error(
    "damaged-signature",
    summary: "the signature of the index is missing or damaged, or belongs to another index or key",
    explanation:
      "Clients that have a public key reject an index without a valid signature. Copy index.json.minisig and "
      + "index.json again together, or build again with \"--sign\".")
  package static let expiredRelease = warning(
    "expired-release", summary: "a signed release has expired",
    explanation:
      "Clients reject an index after the time in its \"expires\" key. Otherwise an attacker could continue "
      + "to serve an old release. Build again with a later \"--expires\". For `build` and `merge` this is an "
      + "error, and they write nothing."
  )
  package static let notInIndex = warning(
    "not-in-index", summary: "a file or folder that the index does not list",
    explanation:
      "Apps do not request this file, but everyone who copies the folder copies it too. It can be a pack of "
      + "an older build that --keep-old kept for installed apps. Remove the files that no app needs.")
  package static let unknownFile = error(
    "unknown-file", summary: "a file or folder that packtool does not recognize",
    explanation:
      "Name a pack, an index, a property list that Xcode wrote for packs, or a folder that contains one of "
      + "these.")
  package static let existingFile = error(
    "existing-file", summary: "a file or folder already exists where `unpack` would write",
    explanation:
      "packtool does not overwrite files unless you pass --force. Unpack to another folder, or replace the "
      + "files with --force. packtool never replaces folders or symlinks, and never follows symlinks. `init` "
      + "also reports this error if a manifest in a folder above already packs the files.")
}
