/// The checks for built folders.
extension Check {
  package static let builtFolderChecks: [Check] = [
    missingIndex, damagedIndex, missingPack, publishedElsewhere, damagedPack, wrongContents, damagedPatch,
    damagedSignature, expiredRelease, notInIndex, existingFile, unknownFile,
  ]

  package static let missingIndex = error(
    "missing-index", summary: "there is no index.json",
    explanation:
      "A built folder contains an index.json, which a build writes last. Name such a folder, or build again."
  )
  package static let damagedIndex = error(
    "damaged-index", summary: "the index or the contents list is not what a build wrote",
    explanation:
      "Apps and servers rely on index.json and on the contents list that it names, so both must be complete "
      + "and must agree. Build again, or copy the folder again from an undamaged copy.")
  package static let missingPack = error(
    "missing-pack", summary: "a pack that the index names does not exist",
    explanation:
      "An app that requests its tags would get nothing. Copy the folder again, packs before index.json, or "
      + "build again.")
  package static let publishedElsewhere = note(
    "published-elsewhere", summary: "a pack that the index names is in the folder of another release",
    explanation:
      "`build --onto` reused the pack from a release, so this folder has no archive of it. Publish this "
      + "folder to the place of that release, and keep all packs there that index.json names.")
  package static let damagedPack = error(
    "damaged-pack", summary: "a pack is not the file that the build wrote",
    explanation:
      "Its size or digest differs from the index, or it cannot be read. Copy it again from an undamaged "
      + "copy, or build again.")
  package static let wrongContents = error(
    "wrong-contents", summary: "a pack contains other files than the index says",
    explanation:
      "The archive itself is undamaged, but its files are not those that the index and the contents list "
      + "describe, so something else wrote one of them. Build again.")
  package static let damagedPatch = error(
    "damaged-patch",
    summary: "a patch is missing, is damaged, or produces other contents than the index says",
    explanation:
      "If a patch fails, a device downloads the whole pack, so players download more than necessary. Copy "
      + "the folder \"patches\" again or build again with the same \"--patch-from\"; with \"--patch-from "
      + "OLD\" verify applies each patch to OLD and compares the result.")
  package static let damagedSignature = error(
    "damaged-signature",
    summary: "the signature of the index is missing or damaged, or belongs to another index or key",
    explanation:
      "Clients with a public key reject an index without a valid signature. Copy index.json.minisig again, "
      + "together with index.json, or build again with \"--sign\".")
  package static let expiredRelease = warning(
    "expired-release", summary: "a signed release has expired",
    explanation:
      "Clients reject an index after the time in its \"expires\"; otherwise an attacker could keep serving "
      + "an old release. Build again with a later \"--expires\". For \"build\" and \"merge\" this is an "
      + "error, and they write nothing."
  )
  package static let notInIndex = warning(
    "not-in-index", summary: "a file or folder that the index does not name",
    explanation:
      "Apps do not request it, but anyone who copies the folder copies it too. It can be a pack of an older "
      + "build, which --keep-old kept for apps that still request it. Remove the files that nobody needs.")
  package static let unknownFile = error(
    "unknown-file", summary: "a file or folder that packtool does not recognize",
    explanation:
      "Name a pack, an index, a property list that Xcode wrote for packs, or a folder that contains one of "
      + "them.")
  package static let existingFile = error(
    "existing-file", summary: "a file or folder already exists where `unpack` would write",
    explanation:
      "packtool does not overwrite anything unless you ask for it. Unpack to another folder, or replace "
      + "files with --force; packtool never replaces or follows folders and symlinks.")
}
