/// The checks for the files that a manifest selects.
extension Check {
  package static let fileChecks: [Check] = [
    executableContent, secretKey, runFileInPack, outputInPack, specialFile, linkEscapesRoot, danglingLink,
    linkLoop,
    unreadableFile, fileTooLarge, invalidName, unportableName, pathClash, pathInTwoPacks, emptyFile,
    lfsPointer, missingContent, icloudPlaceholder,
    unlikelyAsset, fileChanged, untaggedFile, untaggedFolder, unusedExclude, unusedExcept,
  ]

  package static let executableContent = error(
    "executable-content", summary: "a file that contains machine code",
    explanation:
      "The store refuses asset packs of On-Demand Resources that contain executable code. Move the code into "
      + "the app, or leave it out with \"exclude\". Packs for Background Assets can contain code, except "
      + "code for macOS in packs for macOS."
  )
  package static let secretKey = leak(
    "secret-key", summary: "a file of a pack is a secret key",
    explanation:
      "Every player would get the key, and could sign files in your name. packtool recognizes minisign "
      + "secret keys and PEM private keys, such as those of OpenSSL and OpenSSH, by their contents. Keep "
      + "keys outside the root, or leave them out with \"exclude\". If a key was published, replace it with "
      + "a new one.")
  package static let runFileInPack = leak(
    "run-file-in-pack", summary: "a rule packs a file that the command line uses for another purpose",
    explanation:
      "A key, a password, a report, a result, a depfile, a lockfile, a scenario, a trace or an earlier "
      + "release is not an asset. If a build writes such a file below the root, the file also changes the "
      + "packs of the next build. Keep such files outside the root, or leave them out with \"exclude\".")
  package static let outputInPack = warning(
    "output-in-pack", summary: "a rule packs a file that packtool wrote in an earlier run",
    explanation:
      "packtool recognizes its reports, lists of findings, plans, indexes and other outputs by their contents. "
      + "Such a file is probably not an asset, but players would download it. Write outputs outside the root, "
      + "or leave them out with \"exclude\".")
  package static let specialFile = error(
    "special-file", summary: "a resource is a socket, a fifo or a device",
    explanation:
      "A socket, fifo or device has no content to pack, and packtool does not open it. Leave it out with "
      + "\"exclude\".")
  package static let linkEscapesRoot = error(
    "link-escapes-root", summary: "a symlink leads out of the root",
    explanation:
      "On another machine, the symlink could lead to a different file. Put the file below the root, or leave "
      + "the symlink out with \"exclude\".")
  package static let danglingLink = error(
    "dangling-link", summary: "a symlink leads to a file that does not exist",
    explanation: "Restore the file that the symlink leads to, or leave the symlink out with \"exclude\".")
  package static let linkLoop = error(
    "link-loop", summary: "symlinks lead to each other in a circle",
    explanation: "The message lists the symlinks. Remove one of them.")
  package static let unreadableFile = error(
    "unreadable-file", summary: "a file or folder that cannot be read",
    explanation: "Give the user who runs packtool the permission to read the file or folder.")
  package static let fileTooLarge = error(
    "file-too-large", summary: "a file of more than 1 TiB",
    explanation:
      "No store hosts such a large file. It is probably a sparse file that was created by mistake; leave it "
      + "out with \"exclude\".")
  package static let invalidName = error(
    "invalid-name", summary: "a file name that no pack can contain",
    explanation:
      "Names must be valid UTF-8. They must not contain control characters, or backslashes, because some "
      + "programs read backslashes as slashes. A path is at most 65,535 bytes long. Rename the file.")
  package static let unportableName = warning(
    "unportable-name", summary: "file names that Windows cannot store",
    explanation:
      "Windows does not allow the characters < > : \" | ? * in names. It also does not allow device names "
      + "such as CON, NUL and COM1, with or without an extension, and it removes a dot or a space at the end "
      + "of a name. Players with Windows never get such files, and nobody can unpack or check them out on "
      + "Windows. The finding lists the first files and counts all of them. Rename the files, or set the "
      + "severity of this check to \"ignore\" if you do not support Windows.")
  package static let pathClash = error(
    "path-clash", summary: "two files have the same path in a pack",
    explanation:
      "Two paths also clash if they differ only in upper and lower case, or in the encoding of accents, "
      + "because most devices treat such paths as equal. In a zip, two names also clash if one of them is "
      + "the other name with a number such as \";1\" at its end, because unzip reads that number as a "
      + "version. Rename a file, or give it another destination."
  )
  package static let pathInTwoPacks = warning(
    "path-in-two-packs", summary: "two packs have different files with the same path",
    explanation:
      "An app that requests both packs cannot know which file it gets. Give one of the files another "
      + "destination.")
  package static let emptyFile = note(
    "empty-file", summary: "a file without content",
    explanation:
      "A failed export often leaves empty files. If the file is empty on purpose, set the severity of this "
      + "check to \"ignore\"."
  )
  package static let lfsPointer = error(
    "lfs-pointer", summary: "a Git LFS or git-annex pointer instead of the real file",
    explanation:
      "The pack would contain the pointer, which is a short text, instead of the file. Run `git lfs pull` or "
      + "`git annex get` and try again, or use `--pointers` to check and plan without the files.")
  package static let missingContent = unpackable(
    "missing-content", summary: "a pack that must be written contains a pointer",
    explanation:
      "With --pointers, a build keeps packs whose contents have not changed since the previous build, and "
      + "reuses packs from the index of --onto. For all other packs, it needs the files. `--missing FILE` "
      + "lists these files; run `git lfs pull` or `git annex get` for them, and build again.")
  package static let icloudPlaceholder = incompleteInput(
    "icloud-placeholder", summary: "an iCloud placeholder instead of the real file",
    explanation:
      "The pack would contain the placeholder instead of the file. Let the Mac download the file, then copy "
      + "the file again.")
  package static let unlikelyAsset = warning(
    "unlikely-asset", summary: "tagged files whose names are unusual for assets",
    explanation:
      "packtool warns if a key or password file, such as .env, id_rsa or *.pem, has a tag, because every "
      + "player would get the file. Files that editors, engines and package managers leave, such as *.swp, "
      + "*.meta or node_modules, only make downloads larger, so packtool reports them as notes. The message "
      + "proposes a glob for \"exclude\" that leaves the files out.")
  package static let untaggedFile = offByDefault(
    "untagged-file", summary: "a file that no rule matches",
    explanation:
      "The file stays in the app bundle. This check is for teams that give every file a tag: packtool "
      + "reports the file only if the manifest has \"untagged\" or sets a severity for this check. `packtool "
      + "plan --untagged` lists all files without tags.")
  package static let untaggedFolder = note(
    "untagged-folder", summary: "a folder without tags among folders that have tags",
    explanation:
      "No file of this folder has a tag, while all files of its sibling folders have tags, or the folder "
      + "belongs to a numbered series of folders with tags. Probably the rule for this folder was forgotten. "
      + "If the folder belongs in the app bundle, accept the finding with \"accept\"."
  )
  package static let unusedExclude = warning(
    "unused-exclude", summary: "an exclude that matches no file",
    explanation:
      "packtool may pack files that you wanted to exclude. A glob without \"**/\" matches in one folder "
      + "only: \"*.psd\" matches only in the root folder. Remove an exclude that you no longer need.")
  package static let unusedExcept = warning(
    "unused-except", summary: "a glob in the \"except\" of a rule that leaves out no file of the rule",
    explanation:
      "The rule may take files that you wanted to leave out. The globs in \"except\" are relative to the root, "
      + "not to the folder of the rule. Remove a glob that is no longer needed.")
  package static let fileChanged = unpackable(
    "file-changed", summary: "a file changed while it was packed",
    explanation: "packtool published nothing. Wait until no program writes to the file, then build again.")
}
