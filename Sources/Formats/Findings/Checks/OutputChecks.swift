/// The checks of the files and folders that a build writes to.
extension Check {
  package static let outputChecks: [Check] = [
    outputIsRoot, foreignOutput, unsafeOutput, unsayableName, unusableShard, invalidURLPrefix,
    doubtfulURLPrefix, unsignedRelease, staleRelease, doubtfulReleaseNumber, readableSecret,
  ]

  package static let outputIsRoot = safetyRefusal(
    "output-is-root", summary: "the output folder is the root folder of the resources",
    explanation:
      "The packs would lie among the files that they are made of. Write to another folder; it may lie inside the "
      + "root, for the output is never packed.")
  package static let foreignOutput = safetyRefusal(
    "foreign-output",
    summary: "the output folder holds another program's index.json, or the packs of another app",
    explanation:
      "A build replaces index.json and removes packs of older builds, so it takes no folder in which the index or the "
      + "packs are another's.")
  package static let unsafeOutput = safetyRefusal(
    "unsafe-output",
    summary: "the output folder is \"/\", or packtool would write through a link in it",
    explanation:
      "A build writes to its own files and folders, such as .packtool and packs, and removes what it left there. A link "
      + "in their place would lead it to files that it did not make. Remove what is named, or choose another folder."
  )
  package static let unsignedRelease = safetyRefusal(
    "unsigned-release", summary: "a build without a signature over a signed release",
    explanation:
      "Clients with a public key would take no update any more. Give the key with \"--sign\"; to end the signing, remove "
      + "index.json.minisig first.")
  package static let staleRelease = safetyRefusal(
    "stale-release", summary: "the number of a signed release does not rise",
    explanation:
      "Clients take no release with a lower number than they have seen, and tell two releases by their numbers. Give a "
      + "higher \"--release\", or leave it out: the build counts on from the baseline and the output folder.")
  package static let readableSecret = warning(
    "readable-secret", summary: "a secret key or password that every user of the machine can read",
    explanation:
      "Whoever can read the key and its password can sign releases that your players take. Give only yourself the right "
      + "to read the file, or read it from a pipe: --sign <(pass show key).")
  package static let doubtfulReleaseNumber = safetyRefusal(
    "doubtful-release-number",
    summary: "an earlier release has a number that no signature proves, or that jumps",
    explanation:
      "A signed release counts on from the highest number of the releases before it, and clients never take a lower number "
      + "again. A forged number would use up all numbers. So a number counts only if index.json.minisig next to the index "
      + "is a signature by the key of the build. Copy both files together, or give a number with \"--release\"."
  )
  package static let unusableShard = runFailure(
    "unusable-shard", summary: "parts of a build that cannot be merged",
    explanation:
      "\"merge\" takes all parts of one build, made from the same manifest, files, settings and versions. Build the part "
      + "that is named again, or name the one that is missing.")
  package static let invalidURLPrefix = error(
    "invalid-url-prefix", summary: "a URL prefix that is not the beginning of a web address",
    explanation:
      "A pack's URL begins with the setting ASSET_PACK_MANIFEST_URL_PREFIX of the Xcode project. It must be the beginning "
      + "of an http or https URL, without blanks, a user's name, a fragment, or a port above 65535. --url-prefix "
      + "replaces it.")
  package static let doubtfulURLPrefix = warning(
    "doubtful-url-prefix", summary: "a URL prefix from which devices could load no pack",
    explanation:
      "A pack's URL is the text of --url-prefix and the pack's name, with nothing between. So the prefix begins with "
      + "\"https://\", and ends in \"/\", \"?\" or \"=\". A prefix without a scheme, or with one other than http and https, is "
      + "an error.")
  package static let unsayableName = warning(
    "unsayable-name", summary: "a file or folder that a depfile has no form for",
    explanation:
      "Where make or ninja would read a name as something else, even as a command, --depfile leaves it out, so that a "
      + "change of that file alone starts no build. Rename it, without control characters and * ? ; | < > ^ ` % = & \" '."
  )
}
