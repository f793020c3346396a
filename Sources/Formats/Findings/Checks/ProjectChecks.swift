/// The checks for Xcode projects, and for tags in an app's code.
extension Check {
  package static let projectChecks: [Check] = [
    projectSyntax, damagedProject, unknownTarget, severalTargets, unknownConfiguration, untaggedProject,
    missingResource, outsideProject, conditionalSetting, unresolvedSetting, cutOffSetting, unreadSettings,
    uncarriedSetting, unsupportedSetting, disabledResources, uncompiledCatalog, builtResource, otherSpelling,
    repeatedFile, filteredFile, droppedTag, mixedCatalogs, ownManifest, unknownTagInCode, unusedTag,
    unreadSource,
  ]

  package static let projectSyntax = manifestError(
    "project-syntax", summary: "the project file cannot be read",
    explanation:
      "A project.pbxproj is normally a property list in the OpenStep format. Probably the file is truncated, "
      + "or contains conflict marks from a merge. Restore it from version control.")
  package static let damagedProject = manifestError(
    "damaged-project", summary: "objects of the project contradict each other",
    explanation:
      "An object that another object refers to does not exist or has the wrong type, or groups contain each "
      + "other in a circle. Open the project in Xcode, remove the file that the message names, and add it "
      + "again.")
  package static let unknownTarget = manifestError(
    "unknown-target", summary: "the project does not have the target",
    explanation: "Name one of the targets that the message lists.")
  package static let severalTargets = manifestError(
    "several-targets", summary: "the project has several apps",
    explanation: "Each app has its own packs. Choose the app with --set xcode.target=NAME.")
  package static let unknownConfiguration = manifestError(
    "no-configuration", summary: "the target does not have the configuration",
    explanation: "Name one of the configurations that the message lists.")
  package static let untaggedProject = manifestError(
    "untagged-project", summary: "no resource of the target has a tag",
    explanation:
      "There is nothing to pack. packtool reads the tags of files in the target's Resources phase, in "
      + "synchronized folders and in asset catalogs.")
  package static let missingResource = warning(
    "missing-resource", summary: "a file with tags does not exist",
    explanation:
      "The imported manifest has a rule for the file, because some projects download files before a build. "
      + "As in Xcode, a build without the file fails. Restore the file, or remove it from the project.")
  package static let outsideProject = warning(
    "outside-project", summary: "a file with tags is outside the repository",
    explanation:
      "On another machine, the same path could be a different file, and a project from a stranger must not "
      + "be able to pack private files of this machine. So packtool ignores the tags of the file. With "
      + "--root, name a folder that contains both the project and the file, or move the file.")
  package static let conditionalSetting = warning(
    "conditional-setting", summary: "a build setting has an unknown condition",
    explanation:
      "packtool evaluates conditions on the SDK, the architecture, the configuration and the variant, for "
      + "the SDK of the target or of the setting xcode.sdk. It treats all other conditions as false.")
  package static let unresolvedSetting = warning(
    "unresolved-setting", summary: "a build setting refers to an unknown setting",
    explanation:
      "The value of the unknown setting comes from a file or an environment variable that packtool does not "
      + "read, so packtool treats it as empty.")
  package static let cutOffSetting = warning(
    "cut-off-setting", summary: "a URL in a settings file is cut at its \"//\"",
    explanation:
      "In an .xcconfig file \"//\" begins a comment, even within a value. Write \"https:/$()/example.com/\": "
      + "Xcode replaces \"$()\" with nothing."
  )
  package static let unreadSettings = warning(
    "unread-settings", summary: "a file with build settings cannot be read",
    explanation:
      "A settings file (.xcconfig) can contain the tags of the initial install or the prefetch order, the "
      + "app's identifier, or the URL of packs. Create the file, for example with \"pod install\", or remove "
      + "its name from the project."
  )
  package static let uncarriedSetting = note(
    "uncarried-setting", summary: "a manifest has no key for a build setting",
    explanation:
      "Builds from the project use the setting. For builds from the manifest, use the flag that the message "
      + "names."
  )
  package static let disabledResources = warning(
    "disabled-resources", summary: "the target does not use On-Demand Resources",
    explanation:
      "If ENABLE_ON_DEMAND_RESOURCES is NO, Xcode leaves all files in the app. packtool still uses the tags."
  )
  package static let uncompiledCatalog = note(
    "uncompiled-catalog", summary: "an item of an asset catalog has tags",
    explanation:
      "Xcode compiles tagged items into an Assets.car for each pack, which needs Apple's actool. packtool "
      + "packs the folder of the item unchanged, so an app must read the files in it by their names. If your "
      + "app does this, set the severity of this check to \"ignore\"."
  )
  package static let unsupportedSetting = error(
    "unsupported-setting", summary: "a build setting that Xcode refuses",
    explanation:
      "Xcode also refuses to build On-Demand Resources with this setting. Change the setting that the "
      + "message names.")
  package static let builtResource = note(
    "built-resource", summary: "a tagged file of a type that Xcode compiles",
    explanation:
      "Xcode compiles the file into another file, which needs Apple's tools. packtool packs the file "
      + "unchanged. The index lists the file under its own name, which an app uses to read it.")
  package static let otherSpelling = warning(
    "other-spelling",
    summary:
      "a file's name on disk differs in case or Unicode form from its name in the project",
    explanation:
      "On most Mac disks, both names mean the same file, so Xcode finds the file. On other disks, they are "
      + "two different names. Rename the file, or correct its name in the project.")
  package static let repeatedFile = warning(
    "repeated-file", summary: "a file is in the Resources phase twice",
    explanation:
      "Xcode uses the first entry, and skips all other entries of the same file with a warning, even if they "
      + "have other tags. Remove the other entries from the phase."
  )
  package static let filteredFile = note(
    "filtered-file", summary: "the target's platform or settings leave out a tagged file",
    explanation:
      "Xcode also leaves this file out of its build, because of a platform filter, "
      + "EXCLUDED_SOURCE_FILE_NAMES, DEVELOPMENT_ASSET_PATHS or BUILD_ONLY_KNOWN_LOCALIZATIONS. To choose "
      + "another platform, use --set xcode.sdk=SDK."
  )
  package static let droppedTag = warning(
    "dropped-tag", summary: "a tag that Xcode drops",
    explanation:
      "Xcode makes packs only from files in an app's Resources phase and in its synchronized folders. A "
      + "request for this tag fails on devices, or returns other files. Move the file to the app's Resources "
      + "phase, or remove the tag."
  )
  package static let mixedCatalogs = warning(
    "mixed-catalogs", summary: "asset catalogs of one target have different tags",
    explanation:
      "Xcode compiles all catalogs of a target together. If items have no tags of their own, Xcode puts them "
      + "into the pack of the tags of all catalogs, even if their own catalog has no tags. packtool packs "
      + "the items of each catalog with the tags of that catalog. Give the tags to the sets and groups in "
      + "the catalogs: Xcode and packtool treat these tags in the same way.")
  package static let ownManifest = note(
    "own-manifest", summary: "the project has its own manifest of packs",
    explanation:
      "If AssetPackManifest.plist is among the resources, Xcode copies this file instead of writing one. The "
      + "layout \"xcode\" does not write one either; copy the project's file into the app.")
  package static let unknownTagInCode = error(
    "unknown-tag-in-code", summary: "the app's code requests a tag that no file has",
    explanation:
      "The request would fail on every device. Correct the tag in the code, or give the tag to files. "
      + "`packtool tags --swift` writes constants for tags, so that the compiler finds typos.")
  package static let unusedTag = warning(
    "unused-tag", summary: "no code requests a tag",
    explanation:
      "Devices never download the packs of this tag, unless the packs come with the app. If the code builds "
      + "the tag's name at run time, set the severity of this check to \"ignore\".")
  package static let unreadSource = warning(
    "unread-source", summary: "code that was not searched for tags",
    explanation:
      "packtool did not search some code for tags. Either a file cannot be read, is too large, or is in a "
      + "language that `--sources` does not search; or the folder contains no source file. With "
      + "`--sources-pattern`, packtool searches all text files."
  )
}
