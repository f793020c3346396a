/// The checks for the files and folders that a build writes to.
extension Check {
  package static let outputChecks: [Check] = [
    outputIsRoot, foreignOutput, unsafeOutput, unsayableName, unusableShard, invalidURLPrefix,
    doubtfulURLPrefix, unsignedRelease, staleRelease, doubtfulReleaseNumber, readableSecret,
  ]

  package static let outputIsRoot = safetyRefusal(
    "output-is-root", summary: "the output folder is the root folder of the resources",
    explanation:
      "The packs would be among the files that they are made of. Write to another folder. It can be inside "
      + "the root, because packtool never packs its output folder.")
  package static let foreignOutput = safetyRefusal(
    "foreign-output",
    summary: "the output folder contains another program's index.json, or the packs of another app",
    explanation:
      "A build replaces index.json and removes packs of older builds. So packtool does not write to a folder "
      + "whose index or packs it did not write for this app.")
  package static let unsafeOutput = safetyRefusal(
    "unsafe-output",
    summary: "the output folder is \"/\", or packtool would write through a symlink in it",
    explanation:
      "A build writes to its own files and folders, such as .packtool and packs, and removes what it left "
      + "there. A symlink with such a name would lead it to files that it did not make. Remove the symlink "
      + "that the message names, or choose another folder."
  )
  package static let unsignedRelease = safetyRefusal(
    "unsigned-release", summary: "a build without a signature into a folder with a signed release",
    explanation:
      "Clients with a public key would reject all later updates. Pass the key with \"--sign\"; to stop "
      + "signing, first remove index.json.minisig.")
  package static let staleRelease = safetyRefusal(
    "stale-release", summary: "the number of a signed release does not rise",
    explanation:
      "Clients reject a release with a lower number than they have seen, and distinguish releases by their "
      + "numbers. Give a higher \"--release\", or leave it out: the build then counts on from the earlier "
      + "release and the output folder.")
  package static let readableSecret = warning(
    "readable-secret", summary: "every user of the machine can read a secret key or password file",
    explanation:
      "Anyone who can read the key and its password can sign releases that your players accept. Give only "
      + "yourself the permission to read the file, or read the key from a pipe: --sign <(pass show key).")
  package static let doubtfulReleaseNumber = safetyRefusal(
    "doubtful-release-number",
    summary: "an earlier release has a number that no signature proves, or that jumps",
    explanation:
      "A signed release counts on from the highest number of the earlier releases, and clients never accept "
      + "a lower number again. A forged number could use up all numbers. So packtool trusts a number only if "
      + "index.json.minisig next to the index is a valid signature with the key of this build. Copy both "
      + "files together, or give a number with \"--release\"."
  )
  package static let unusableShard = runFailure(
    "unusable-shard", summary: "shards that cannot be merged",
    explanation:
      "\"merge\" needs all shards of one build, made from the same manifest, files, settings and versions. "
      + "Build the shard that the message names again, or name the missing shard.")
  package static let invalidURLPrefix = error(
    "invalid-url-prefix", summary: "a URL prefix that is not the beginning of a web address",
    explanation:
      "A pack's URL begins with the setting ASSET_PACK_MANIFEST_URL_PREFIX of the Xcode project. It must be "
      + "the beginning of an http or https URL, without spaces, a user name, a fragment, or a port above "
      + "65535. --url-prefix replaces it.")
  package static let doubtfulURLPrefix = warning(
    "doubtful-url-prefix", summary: "a URL prefix with which devices could not load any pack",
    explanation:
      "A pack's URL is the text of --url-prefix followed directly by the pack's name. So the prefix must "
      + "begin with \"https://\", and end in \"/\", \"?\" or \"=\". A prefix without a scheme, or with a "
      + "scheme other than http and https, is an error.")
  package static let unsayableName = warning(
    "unsayable-name", summary: "a file or folder name that a depfile cannot contain",
    explanation:
      "Programs such as make or ninja would read the name as something else, or even run it as a command. So "
      + "--depfile leaves the file out, and a change of this file alone does not start a build. Rename it, "
      + "without control characters and * ? ; | < > ^ ` % = & \" '."
  )
}
