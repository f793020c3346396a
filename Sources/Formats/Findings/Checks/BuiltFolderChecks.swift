/// The checks of built folders.
extension Check {
  package static let builtFolderChecks: [Check] = [
    missingIndex, damagedIndex, missingPack, publishedElsewhere, damagedPack, wrongContents, damagedPatch,
    damagedSignature, expiredRelease, notInIndex, existingFile, unknownFile,
  ]

  package static let missingIndex = error(
    "missing-index", summary: "there is no index.json",
    explanation:
      "A built folder is known by its index.json, which a build writes last. Name such a folder, or build it anew."
  )
  package static let damagedIndex = error(
    "damaged-index", summary: "the index or the list of files is not what a build wrote",
    explanation:
      "Apps and servers go by index.json and the contents file that it names, so each must be whole and both must "
      + "agree. Build again, or copy the folder again from where it is whole.")
  package static let missingPack = error(
    "missing-pack", summary: "a pack that the index names is not there",
    explanation:
      "An app that asks for its tags would get nothing. Copy the folder again, packs before index.json, or build "
      + "again.")
  package static let publishedElsewhere = note(
    "published-elsewhere", summary: "a pack that the index names is published in another folder",
    explanation:
      "`build --onto` took it over from the index of a release, so there is no archive of it here. Publish this folder "
      + "where that release is, without removing packs that index.json names.")
  package static let damagedPack = error(
    "damaged-pack", summary: "a pack is not the file that the build wrote",
    explanation:
      "Its size or digest is another than the index says, or it cannot be read. Copy it again from where it is "
      + "whole, or build again.")
  package static let wrongContents = error(
    "wrong-contents", summary: "a pack holds other files than the index says",
    explanation:
      "The pack is whole, but not what the index and the list of files describe: one was written by something "
      + "else. Build again.")
  package static let damagedPatch = error(
    "damaged-patch", summary: "a patch is missing, damaged, or makes other contents than the index says",
    explanation:
      "A device takes the whole pack where a patch fails, so players download more than they need to. Copy the folder "
      + "\"patches\" again or build again with the same \"--patch-from\"; with \"--patch-from OLD\" verify applies each "
      + "patch to OLD and compares what it makes.")
  package static let damagedSignature = error(
    "damaged-signature",
    summary: "the signature of the index is missing, damaged, or of another index or key",
    explanation:
      "Clients with a public key take no index without a right signature. Copy index.json.minisig again, together with "
      + "index.json, or build again with \"--sign\".")
  package static let expiredRelease = warning(
    "expired-release", summary: "a signed release has expired",
    explanation:
      "Clients take no index after the time in its \"expires\", because somebody could replay an old one to them forever. "
      + "Build again with a later \"--expires\". For \"build\" and \"merge\" it is an error, and they write nothing."
  )
  package static let notInIndex = warning(
    "not-in-index", summary: "something in the folder that the index does not name",
    explanation:
      "Nobody asks for it, but who copies the folder copies it too. A pack may be one of an older build, kept by "
      + "--keep-old for apps that still ask for it; remove what nobody needs.")
  package static let unknownFile = error(
    "unknown-file", summary: "a file or folder that is not what packtool knows",
    explanation:
      "Name a pack, an index, one of Xcode's property lists of packs, or a folder with one of these.")
  package static let existingFile = error(
    "existing-file", summary: "something stands where a file is to be unpacked",
    explanation:
      "Nothing is overwritten unasked. Unpack to another folder, or replace files with --force; folders and links are "
      + "never replaced or followed.")
}
