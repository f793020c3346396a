/// The checks for the files that a manifest selects.
extension Check {
  package static let fileChecks: [Check] = [
    executableContent, secretKey, runFileInPack, specialFile, linkEscapesRoot, danglingLink, linkLoop,
    unreadableFile, fileTooLarge, invalidName, unportableName, pathClash, pathInTwoPacks, emptyFile,
    lfsPointer, missingContent, icloudPlaceholder,
    unlikelyAsset, fileChanged, untaggedFile, untaggedFolder, unusedExclude,
  ]

  package static let executableContent = error(
    "executable-content", summary: "a file that contains machine code",
    explanation:
      "The store refuses asset packs of On-Demand Resources that contain executable code. Move the code into "
      + "the app, or leave it out with \"exclude\". Packs for Background Assets can contain code, but packs "
      + "for macOS cannot contain code for macOS."
  )
  package static let secretKey = leak(
    "secret-key", summary: "a secret key among the files of a pack",
    explanation:
      "Every player would get the key, and could sign in your name. packtool recognizes minisign secret keys "
      + "and PEM private keys, such as those of OpenSSL and OpenSSH, by their contents. Keep keys outside "
      + "the root, or leave them out with \"exclude\". Replace a key that was published.")
  package static let runFileInPack = leak(
    "run-file-in-pack", summary: "a rule takes a file that the command line uses for another purpose",
    explanation:
      "A key, a password, a report, a result, a depfile, a lockfile, a scenario, a trace or an earlier "
      + "release is not an asset. If one build writes such a file, it would also change the packs of the "
      + "next build. Keep such files outside the root, or leave them out with \"exclude\".")
  package static let specialFile = error(
    "special-file", summary: "a socket, fifo or device among the resources",
    explanation:
      "Such a file has no content to pack, and packtool does not open it. Leave it out with \"exclude\".")
  package static let linkEscapesRoot = error(
    "link-escapes-root", summary: "a symlink leads out of the root",
    explanation:
      "The symlink could lead to another file on another machine. Put the file below the root, or leave the "
      + "symlink out with \"exclude\".")
  package static let danglingLink = error(
    "dangling-link", summary: "a symlink leads to a file that does not exist",
    explanation: "Restore the file that it names, or leave the symlink out with \"exclude\".")
  package static let linkLoop = error(
    "link-loop", summary: "symlinks lead to each other in a circle",
    explanation: "The message names the symlinks. Remove one of them.")
  package static let unreadableFile = error(
    "unreadable-file", summary: "a file or folder that cannot be read",
    explanation: "Give the user who runs packtool the permission to read it.")
  package static let fileTooLarge = error(
    "file-too-large", summary: "a file of more than 1 TiB",
    explanation:
      "No store hosts so large a file. It is probably a sparse file that was made by mistake; leave it out "
      + "with \"exclude\".")
  package static let invalidName = error(
    "invalid-name", summary: "a file name that no pack can contain",
    explanation:
      "Names must be UTF-8 without control characters and without backslashes, which some programs read as "
      + "slashes. A path is at most 65,535 bytes long. Rename the file.")
  package static let unportableName = warning(
    "unportable-name", summary: "file names that Windows cannot store",
    explanation:
      "Windows does not allow the characters < > : \" | ? * in names, nor device names such as CON, NUL and "
      + "COM1 with any extension, and it removes a dot or a space at the end of a name. Players with Windows "
      + "never get such files, and nobody can unpack or check them out there. The finding names the first "
      + "files and counts all of them. Rename them, or set the severity of this check to \"ignore\" if you "
      + "do not support Windows.")
  package static let pathClash = error(
    "path-clash", summary: "two files have the same place in a pack",
    explanation:
      "Two places also clash if they differ only in upper and lower case, or in the encoding of accents, "
      + "because most devices treat such names as equal. In a zip, two names also clash if one of them is "
      + "the other with \";1\" after it, because unzip reads that as a version. Rename a file, or give it "
      + "another destination."
  )
  package static let pathInTwoPacks = warning(
    "path-in-two-packs", summary: "two packs have different files with the same path",
    explanation:
      "An app that requests both packs cannot know which file it gets. Give one of the files another "
      + "destination.")
  package static let emptyFile = note(
    "empty-file", summary: "a file without content",
    explanation:
      "Empty files are often left by an export that failed. If the file is intentional, set the severity of "
      + "this check to \"ignore\"."
  )
  package static let lfsPointer = error(
    "lfs-pointer", summary: "a Git LFS or git-annex pointer instead of the real file",
    explanation:
      "The pack would contain the pointer, a short text. Run `git lfs pull` or `git annex get` and try "
      + "again, or use `--pointers` to check and plan without the files.")
  package static let missingContent = unpackable(
    "missing-content", summary: "a pack that must be written contains a pointer",
    explanation:
      "With --pointers a build keeps packs whose contents have not changed since the previous build, and "
      + "reuses packs that the index of --onto has. It needs the files of all other packs. Run `git lfs "
      + "pull` or `git annex get` for the files that `--missing FILE` lists, and build again.")
  package static let icloudPlaceholder = standIn(
    "icloud-placeholder", summary: "an iCloud placeholder instead of the real file",
    explanation: "The pack would contain the placeholder. Let the Mac download the file, then copy it again.")
  package static let unlikelyAsset = warning(
    "unlikely-asset", summary: "tagged files whose names are unusual for assets",
    explanation:
      "If a key or password file has a tag, such as .env, id_rsa or *.pem, packtool warns, because every "
      + "player would get it. Files that editors, engines and package managers leave, such as *.swp, *.meta "
      + "or node_modules, only make downloads larger, so they are a note. The message proposes an "
      + "\"exclude\" that leaves them out.")
  package static let untaggedFile = offByDefault(
    "untagged-file", summary: "a file that no rule matches",
    explanation:
      "The file stays in the app bundle. This check is for teams that tag every file: packtool reports it "
      + "only if the manifest has \"untagged\" or sets a severity for it. `packtool plan --untagged` lists "
      + "all such files.")
  package static let untaggedFolder = note(
    "untagged-folder", summary: "a folder without tags among folders that have tags",
    explanation:
      "The files of this folder have no tags, while all files of its sibling folders have some; or the "
      + "folder is one of several such folders that are numbered. Probably a rule for the folder was "
      + "forgotten. If the folder belongs in the app bundle, accept the finding with \"accept\"."
  )
  package static let unusedExclude = warning(
    "unused-exclude", summary: "an exclude that matches no file",
    explanation:
      "Files that you wanted to exclude may be packed. A glob without \"**/\" matches in one folder only: "
      + "\"*.psd\" matches in the root folder. Remove an exclude that is no longer needed.")
  package static let fileChanged = unpackable(
    "file-changed", summary: "a file changed while it was packed",
    explanation: "packtool published nothing. Wait until no program writes to the file, then build again.")
}
