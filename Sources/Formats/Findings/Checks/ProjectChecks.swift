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
      "A project.pbxproj is a property list in the OpenStep format. Probably the file is truncated, or has "
      + "conflict marks from a merge. Restore it from version control.")
  package static let damagedProject = manifestError(
    "damaged-project", summary: "objects of the project do not fit together",
    explanation:
      "An object that another object refers to does not exist, or has the wrong type, or groups contain each "
      + "other in a circle. Open the project in Xcode and add the file that the message names again.")
  package static let unknownTarget = manifestError(
    "unknown-target", summary: "the project does not have the target",
    explanation: "Name one of the targets that the message lists.")
  package static let severalTargets = manifestError(
    "several-targets", summary: "the project has several apps",
    explanation: "Each app has its own packs. Choose the app with --target.")
  package static let unknownConfiguration = manifestError(
    "no-configuration", summary: "the target does not have the configuration",
    explanation: "Name one of the configurations that the message lists.")
  package static let untaggedProject = manifestError(
    "untagged-project", summary: "no resource of the target has a tag",
    explanation:
      "There is nothing to pack. packtool reads tags of the files in the target's Resources phase, in "
      + "synchronized folders and in asset catalogs.")
  package static let missingResource = warning(
    "missing-resource", summary: "a file with tags does not exist",
    explanation:
      "The imported manifest has a rule for the file, because some files are downloaded before a build. A "
      + "build without the file fails, as in Xcode. Restore the file, or remove it from the project.")
  package static let outsideProject = warning(
    "outside-project", summary: "a file with tags is outside the repository",
    explanation:
      "The file could be another one on another machine, and a project from a stranger must not pack files "
      + "of this machine. So packtool ignores its tags. Name a folder that contains both with --root, or "
      + "move the file.")
  package static let conditionalSetting = warning(
    "conditional-setting", summary: "a build setting has an unknown condition",
    explanation:
      "packtool evaluates conditions on the SDK, the architecture, the configuration and the variant, for "
      + "the SDK of the target or of --sdk. It treats all other conditions as not met.")
  package static let unresolvedSetting = warning(
    "unresolved-setting", summary: "a build setting refers to an unknown setting",
    explanation:
      "The value comes from a file or an environment that packtool does not read. packtool treats it as "
      + "empty.")
  package static let cutOffSetting = warning(
    "cut-off-setting", summary: "a URL in a settings file ends at its \"//\"",
    explanation:
      "In an .xcconfig file \"//\" begins a comment, even within a value. Write \"https:/$()/example.com/\": "
      + "Xcode replaces \"$()\" with nothing."
  )
  package static let unreadSettings = warning(
    "unread-settings", summary: "a file with build settings cannot be read",
    explanation:
      "A settings file (.xcconfig) can contain the tags of the initial install or the prefetch order, the "
      + "app's identifier or the URL of packs. Create the file, for example with \"pod install\", or remove "
      + "its name from the project."
  )
  package static let uncarriedSetting = note(
    "uncarried-setting", summary: "a build setting that has no key in a manifest",
    explanation:
      "Builds from the project use the setting. For builds from the manifest, use the flag that the message "
      + "names."
  )
  package static let disabledResources = warning(
    "disabled-resources", summary: "the target does not use On-Demand Resources",
    explanation:
      "If ENABLE_ON_DEMAND_RESOURCES is NO, Xcode leaves all files in the app. packtool uses the tags."
  )
  package static let uncompiledCatalog = note(
    "uncompiled-catalog", summary: "an item of an asset catalog has tags",
    explanation:
      "Xcode compiles tagged items into an Assets.car for each pack, which needs Apple's actool. packtool "
      + "packs the item's folder unchanged, so an app must read its files by name. If your app does so, set "
      + "the severity of this check to \"ignore\"."
  )
  package static let unsupportedSetting = error(
    "unsupported-setting", summary: "a build setting that Xcode refuses",
    explanation:
      "Xcode does not build On-Demand Resources with this setting either. Change the setting that the "
      + "message names.")
  package static let builtResource = note(
    "built-resource", summary: "a tagged file of a type that Xcode compiles",
    explanation:
      "Xcode compiles it to another file, which needs Apple's tools. packtool packs the file unchanged, and "
      + "the index lists it under its own name, with which an app reads it.")
  package static let otherSpelling = warning(
    "other-spelling", summary: "a file's name has another case or Unicode form than in the project",
    explanation:
      "On most Mac disks both names mean the same file, so Xcode finds it; on other disks they do not. "
      + "Rename the file or the reference.")
  package static let repeatedFile = warning(
    "repeated-file", summary: "a file is in the Resources phase twice",
    explanation:
      "Xcode uses the first entry and skips the others with a warning, whatever their tags are. Remove the "
      + "other entries from the phase."
  )
  package static let filteredFile = note(
    "filtered-file", summary: "a tagged file that the target's platform or settings leave out",
    explanation:
      "Xcode leaves the file out of its build too, because of a platform filter, EXCLUDED_SOURCE_FILE_NAMES, "
      + "DEVELOPMENT_ASSET_PATHS or BUILD_ONLY_KNOWN_LOCALIZATIONS. To choose another platform, use --sdk."
  )
  package static let droppedTag = warning(
    "dropped-tag", summary: "a tag that Xcode drops",
    explanation:
      "Xcode makes packs only from the Resources phase of an app and from its synchronized folders, so a "
      + "request for this tag fails on devices, or gets other files. Move the file to the app's Resources "
      + "phase, or remove the tag."
  )
  package static let mixedCatalogs = warning(
    "mixed-catalogs", summary: "asset catalogs of one target have different tags",
    explanation:
      "Xcode compiles all catalogs of a target together. It puts items without tags of their own into the "
      + "pack of all tags that the catalogs have, including items of catalogs without tags. packtool packs "
      + "each catalog by its own tags. Give the tags to the sets and groups in the catalogs: Xcode and "
      + "packtool treat these tags alike.")
  package static let ownManifest = note(
    "own-manifest", summary: "the project has its own manifest of packs",
    explanation:
      "If AssetPackManifest.plist is among the resources, Xcode copies it and writes none. The layout xcode "
      + "does not write one either; copy the project's file into the app.")
  package static let unknownTagInCode = error(
    "unknown-tag-in-code", summary: "the app's code requests a tag that no file has",
    explanation:
      "The request would fail on every device. Correct the text, or give files the tag. `packtool tags "
      + "--swift` writes constants, so that a typo does not compile.")
  package static let unusedTag = warning(
    "unused-tag", summary: "no code requests a tag",
    explanation:
      "Devices never download its packs, unless they come with the app. If the code builds the tag's name at "
      + "run time, set the severity of this check to \"ignore\".")
  package static let unreadSource = warning(
    "unread-source", summary: "code that was not searched for tags",
    explanation:
      "A file cannot be read, is larger than any file that people write, or is in a language that "
      + "`--sources` does not search, so packtool does not know its tags. Or the folder has no source file. "
      + "With `--sources-pattern` packtool searches all text files."
  )
}
