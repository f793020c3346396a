/// The checks of the files that a manifest selects.
extension Check {
  package static let fileChecks: [Check] = [
    executableContent, secretKey, runFileInPack, specialFile, linkEscapesRoot, danglingLink, linkLoop,
    unreadableFile, fileTooLarge, invalidName, unportableName, pathClash, pathInTwoPacks, emptyFile,
    lfsPointer, missingContent, icloudPlaceholder,
    unlikelyAsset, fileChanged, untaggedFile, untaggedFolder, unusedExclude,
  ]

  package static let executableContent = error(
    "executable-content", summary: "a file that holds machine code",
    explanation:
      "The store refuses asset packs of On-Demand Resources with executable code. Move the code into the app, or leave it out "
      + "with \"exclude\". Packs for Background Assets may hold code, but packs for macOS no code for macOS."
  )
  package static let secretKey = leak(
    "secret-key", summary: "a secret key among the files of a pack",
    explanation:
      "Every player would get it, and could sign in your name. packtool knows secret keys of minisign and private keys in PEM, "
      + "such as those of OpenSSL and OpenSSH, by their contents. Keep keys outside of the root, or leave them out with "
      + "\"exclude\". Replace a key that was published.")
  package static let runFileInPack = leak(
    "run-file-in-pack", summary: "a rule takes a file that the command line names as something else",
    explanation:
      "A key, a password, a report, a result, a depfile, a lockfile, a scenario, a trace or an earlier release is not an asset. "
      + "What one build writes would also change the packs of the next. Keep such files outside of the root, or leave them "
      + "out with \"exclude\".")
  package static let specialFile = error(
    "special-file", summary: "a socket, fifo or device among the resources",
    explanation:
      "It has no content that could be packed; packtool does not open it. Leave it out with \"exclude\".")
  package static let linkEscapesRoot = error(
    "link-escapes-root", summary: "a symbolic link leads out of the root",
    explanation:
      "Other machines may have something else there. Put the file below the root, or leave the link out.")
  package static let danglingLink = error(
    "dangling-link", summary: "a symbolic link leads to nothing",
    explanation: "Restore the file that it names, or leave the link out with \"exclude\".")
  package static let linkLoop = error(
    "link-loop", summary: "symbolic links go round in a circle",
    explanation: "The message names the links. Remove one of them.")
  package static let unreadableFile = error(
    "unreadable-file", summary: "a file or folder that cannot be read",
    explanation: "Give this user the right to read it.")
  package static let fileTooLarge = error(
    "file-too-large", summary: "a file of more than 1 TiB",
    explanation:
      "No store hosts that much; most often it is a sparse file that was made by mistake. Leave it out with "
      + "\"exclude\".")
  package static let invalidName = error(
    "invalid-name", summary: "a file name that no pack can hold",
    explanation:
      "Names are UTF-8 without control characters and backslashes, which some readers take for slashes, and a path is at "
      + "most 65,535 bytes long. Rename the file.")
  package static let unportableName = warning(
    "unportable-name", summary: "names that Windows cannot store",
    explanation:
      "Windows reserves the marks < > : \" | ? * and the names of devices, such as CON, NUL and COM1, with any extension, and "
      + "drops a dot or a blank at the end of a name. Players with Windows never get such files, and nobody can unpack or "
      + "check them out there. The finding names the first ones and counts them all. Rename them, or set the severity "
      + "of this check to \"ignore\" if Windows does not matter.")
  package static let pathClash = error(
    "path-clash", summary: "two files want one place in a pack",
    explanation:
      "Also where the places differ only in upper and lower case, or in how accents are encoded: most devices "
      + "take those for the same name. In a zip also where one has \";1\" behind it, which unzip takes for a version."
  )
  package static let pathInTwoPacks = warning(
    "path-in-two-packs", summary: "two packs hold different files under one path",
    explanation:
      "An app that asks for both cannot tell which it gets. Give one of the files another destination.")
  package static let emptyFile = note(
    "empty-file", summary: "a file without content",
    explanation:
      "Often left over from an export that failed. If it is meant, set the severity of this check to \"ignore\"."
  )
  package static let lfsPointer = error(
    "lfs-pointer", summary: "a Git LFS or git-annex pointer in place of the real file",
    explanation:
      "The pack would ship the pointer, a short text. Run `git lfs pull` or `git annex get` and try again, or give "
      + "`--pointers` to check and plan without the files.")
  package static let missingContent = unpackable(
    "missing-content", summary: "a pointer in a pack that has to be written",
    explanation:
      "With --pointers a build keeps packs whose contents are those of the last build, and takes over those that the "
      + "index of --onto has; the files of all others must be here. Run `git lfs pull` or `git annex get` for the files "
      + "that `--missing FILE` lists, and build again.")
  package static let icloudPlaceholder = standIn(
    "icloud-placeholder", summary: "an iCloud placeholder in place of the real file",
    explanation: "The pack would ship the placeholder. Let the Mac download the file, then copy it again.")
  package static let unlikelyAsset = warning(
    "unlikely-asset", summary: "tagged files whose names assets hardly have",
    explanation:
      "Keys and passwords, such as .env, id_rsa or *.pem, would be shipped to every player: a warning. What editors, engines "
      + "and package managers leave, such as *.swp, *.meta or node_modules, only costs downloads: a note. The message has "
      + "the \"exclude\" that leaves them out.")
  package static let untaggedFile = offByDefault(
    "untagged-file", summary: "a file that no rule matches",
    explanation:
      "It stays in the app bundle. For teams that tag everything; it is reported only with \"untagged\" in the manifest, or "
      + "if a severity is set for it. `packtool plan --untagged` lists all such files.")
  package static let untaggedFolder = note(
    "untagged-folder", summary: "a folder without tags among folders that have them",
    explanation:
      "It is the only one of its folder whose files have no tags, or one of several that are numbered, while in the others all "
      + "files have some. Most often the rule for it was forgotten. If it belongs into the app bundle, say so by \"accept\"."
  )
  package static let unusedExclude = warning(
    "unused-exclude", summary: "an exclude that matches no file",
    explanation:
      "The files that it should keep out may be packed. A glob without \"**/\" stays in one folder: \"*.psd\" means the root "
      + "folder only. Remove an exclude that is not needed any more.")
  package static let fileChanged = unpackable(
    "file-changed", summary: "a file changed while it was packed",
    explanation: "Nothing was published. Let whatever writes the file end, then build again.")
}
