/// The checks for the files and folders that a build writes to.
extension Check {
  package static let outputChecks: [Check] = [
    outputIsRoot, outputInRoot, foreignOutput, unsafeOutput, unsayableName, unusableShard, invalidURLPrefix,
    doubtfulURLPrefix, unsignedRelease, staleRelease, doubtfulReleaseNumber, readableSecret,
  ]

  package static let outputIsRoot = safetyRefusal(
    "output-is-root", summary: "the output folder is the root folder of the resources",
    explanation:
      "packtool would pack its own packs. Write to another folder.")
  package static let outputInRoot = warning(
    "output-in-root",
    summary: "the output folder is inside the root folder of the resources, or contains sources",
    explanation:
      "packtool never packs its output folder. But a build of the app usually copies the folder of assets, "
      + "and would also copy the packs. Write to a folder outside the root. This check does not report an "
      + "output folder next to the manifest. It also reports a first build into the folder that contains the "
      + "manifest or the root, because the files of the build are then between the sources.")
  package static let foreignOutput = safetyRefusal(
    "foreign-output",
    summary: "the output folder contains another program's index.json, or the packs of another app",
    explanation:
      "A build replaces index.json and removes packs of older builds. So packtool writes to a folder only if "
      + "packtool itself wrote its index and its packs, and for this app.")
  package static let unsafeOutput = safetyRefusal(
    "unsafe-output",
    summary: "the output folder is \"/\", or packtool would write through a symlink in it",
    explanation:
      "A build writes to its own files and folders, such as .packtool and packs, and removes old files from "
      + "them. If one of these names is a symlink, the build would write and remove files that packtool did "
      + "not create. Remove the symlink that the message names, or choose another folder."
  )
  package static let unsignedRelease = safetyRefusal(
    "unsigned-release", summary: "a build without a signature writes to a folder with a signed release",
    explanation:
      "Clients that have a public key would reject this and all later updates. Pass the key with \"--sign\". "
      + "To stop signing, first remove index.json.minisig.")
  package static let staleRelease = safetyRefusal(
    "stale-release", summary: "the number of a signed release is not higher than the previous number",
    explanation:
      "Clients reject a release if its number is lower than a number that they have already seen, and they "
      + "distinguish releases by their numbers. Pass a higher number with \"--release\". Without "
      + "\"--release\", the build uses the next number after the earlier releases and the release in the "
      + "output folder.")
  package static let readableSecret = warning(
    "readable-secret", summary: "every user of this machine can read a secret key or password file",
    explanation:
      "Anyone who can read the key and its password can sign releases that your players accept. Give only "
      + "yourself the permission to read the file, or read the key from a pipe: --sign <(pass show key).")
  package static let doubtfulReleaseNumber = safetyRefusal(
    "doubtful-release-number",
    summary: "the number of an earlier release has no valid signature, or is much too high",
    explanation:
      "The number of a signed release is 1 higher than the highest number of the earlier releases, and "
      + "clients never accept a lower number again. A forged number could be so high that no higher number "
      + "is left. So packtool accepts a number only if index.json.minisig next to the index is a valid "
      + "signature with the key of this build. Copy both files together, or pass a number with \"--release\"."
  )
  package static let unusableShard = runFailure(
    "unusable-shard", summary: "shards that cannot be merged",
    explanation:
      "`packtool merge` needs all shards of one build. The shards must be made from the same manifest and "
      + "files, with the same settings and packtool version. Build the shard that the message names again, "
      + "or name the missing shard.")
  package static let invalidURLPrefix = error(
    "invalid-url-prefix", summary: "a URL prefix that is not the beginning of a web address",
    explanation:
      "A pack's URL begins with the value of the setting ASSET_PACK_MANIFEST_URL_PREFIX in the Xcode "
      + "project. This value must be the beginning of an http or https URL, without spaces, a user name, a "
      + "fragment, or a port above 65535. --set layout.urlPrefix=URL replaces the value.")
  package static let doubtfulURLPrefix = warning(
    "doubtful-url-prefix", summary: "devices could not load packs with this URL prefix",
    explanation:
      "A pack's URL is the URL prefix, followed directly by the pack's name. So the prefix must "
      + "begin with \"https://\", and must end in \"/\", \"?\" or \"=\". If the prefix has no scheme, or a "
      + "scheme other than http and https, packtool reports an error.")
  package static let unsayableName = warning(
    "unsayable-name", summary: "a file or folder name that a depfile cannot contain",
    explanation:
      "Programs such as make or ninja would read the name as something else, or would even run it as a "
      + "command. So packtool does not list the file in the depfile, and make or ninja do not build again if "
      + "only this file changes. Rename the file without control characters and without * ? ; | < > ^ ` % = "
      + "& \" '."
  )
}
