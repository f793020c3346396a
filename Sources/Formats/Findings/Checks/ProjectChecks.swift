/// The checks of Xcode projects, and of tags in an app's code.
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
      "A project.pbxproj is a property list in the form of OpenStep. Most often it was cut short, or a merge left its "
      + "marks. Restore it from version control.")
  package static let damagedProject = manifestError(
    "damaged-project", summary: "objects of the project do not fit together",
    explanation:
      "An object that another refers to is not there, is of another kind, or groups lie within one another in a "
      + "circle. Open the project in Xcode and add the file that the message names again.")
  package static let unknownTarget = manifestError(
    "unknown-target", summary: "the project has no such target",
    explanation: "Name one of the targets that the message lists.")
  package static let severalTargets = manifestError(
    "several-targets", summary: "the project has several apps",
    explanation: "Each app has packs of its own. Say which one with --target.")
  package static let unknownConfiguration = manifestError(
    "no-configuration", summary: "the target has no such configuration",
    explanation: "Name one of the configurations that the message lists.")
  package static let untaggedProject = manifestError(
    "untagged-project", summary: "no resource of the target has a tag",
    explanation:
      "There is nothing to pack. Tags stand on the files of the target's Resources phase, in synchronized folders "
      + "and in asset catalogs.")
  package static let missingResource = warning(
    "missing-resource", summary: "a file with tags is not there",
    explanation:
      "A manifest that is made from the project has a rule for it, since some files are downloaded before a build. A build "
      + "without it is refused, as in Xcode. Restore the file, or remove it from the project.")
  package static let outsideProject = warning(
    "outside-project", summary: "a file with tags lies outside the repository",
    explanation:
      "Other machines may have something else there, and a project from elsewhere must not pack any file of this one, so "
      + "its tags are not carried. Name a folder that contains both with --root, or move the file.")
  package static let conditionalSetting = warning(
    "conditional-setting", summary: "a build setting has a condition that is not known",
    explanation:
      "Conditions on the SDK, the architecture, the configuration and the variant are evaluated, for the SDK of the target "
      + "or of --sdk. Others count as not met.")
  package static let unresolvedSetting = warning(
    "unresolved-setting", summary: "a build setting names another that is not known",
    explanation:
      "Its value comes from a file or an environment that packtool does not read. It is taken as empty.")
  package static let cutOffSetting = warning(
    "cut-off-setting", summary: "a URL in a file of settings ends at its \"//\"",
    explanation:
      "In an .xcconfig file \"//\" begins a comment, also within a value. Write \"https:/$()/example.com/\": \"$()\" "
      + "is replaced with nothing."
  )
  package static let unreadSettings = warning(
    "unread-settings", summary: "build settings stand in a file that cannot be read",
    explanation:
      "A file of settings (.xcconfig) may have the tags of the initial install or the prefetch order, the app's "
      + "identifier or the URL of packs. Make it, as by \"pod install\", or take its name out of the project."
  )
  package static let uncarriedSetting = note(
    "uncarried-setting", summary: "a build setting that a manifest has no key for",
    explanation:
      "Builds from the project itself follow it. Builds from the manifest take the flag that the message names."
  )
  package static let disabledResources = warning(
    "disabled-resources", summary: "the target does not use on-demand resources",
    explanation:
      "With ENABLE_ON_DEMAND_RESOURCES set to NO Xcode leaves all files in the app. packtool carries the tags."
  )
  package static let uncompiledCatalog = note(
    "uncompiled-catalog", summary: "an item of an asset catalog has tags",
    explanation:
      "Xcode compiles tagged items into an Assets.car for each pack, which needs Apple's actool. packtool packs the "
      + "item's folder as it is; an app reads its files by name. If the app reads them so, give the check the severity "
      + "\"ignore\"."
  )
  package static let unsupportedSetting = error(
    "unsupported-setting", summary: "a build setting that Xcode refuses",
    explanation:
      "Xcode does not build on-demand resources with it either. Change the setting that the message names.")
  package static let builtResource = note(
    "built-resource", summary: "a tagged file of a kind that Xcode builds",
    explanation:
      "Xcode makes another file of it, which needs Apple's tools. packtool packs the file as it is and lists it by its name; "
      + "an app reads it by that name.")
  package static let otherSpelling = warning(
    "other-spelling", summary: "a file is named in another case or Unicode form than in the project",
    explanation:
      "Most disks of Macs take both for the same, so that Xcode finds it; other disks do not. Rename the file or the "
      + "reference.")
  package static let repeatedFile = warning(
    "repeated-file", summary: "a file is in the Resources phase twice",
    explanation:
      "Xcode takes the first and skips the others with a warning, whatever their tags. Remove those from the phase."
  )
  package static let filteredFile = note(
    "filtered-file", summary: "a tagged file that the target's platform or settings leave out",
    explanation:
      "Xcode leaves the file out of its build too, because of a platform filter, EXCLUDED_SOURCE_FILE_NAMES, "
      + "DEVELOPMENT_ASSET_PATHS or BUILD_ONLY_KNOWN_LOCALIZATIONS. --sdk names another platform."
  )
  package static let droppedTag = warning(
    "dropped-tag", summary: "a tag that Xcode drops",
    explanation:
      "Xcode makes packs of the Resources phase of an app and of its synchronized folders, and of nothing else: a request "
      + "for the tag fails on devices, or gets other files. Move the file to the app's Resources phase, or remove the tag."
  )
  package static let mixedCatalogs = warning(
    "mixed-catalogs", summary: "asset catalogs of one target have different tags",
    explanation:
      "Xcode compiles all catalogs of a target together. Items without tags of their own are in the pack of all tags that "
      + "the catalogs have, also the items of catalogs without tags. packtool packs each catalog by its own tags. Give the "
      + "tags to the sets and groups in the catalogs, which Xcode and packtool follow alike.")
  package static let ownManifest = note(
    "own-manifest", summary: "the project has a manifest of packs of its own",
    explanation:
      "Where AssetPackManifest.plist is among the resources, Xcode copies it and writes none. The layout xcode does not "
      + "write one either; copy the project's into the app.")
  package static let unknownTagInCode = error(
    "unknown-tag-in-code", summary: "the app's code asks for a tag that no file has",
    explanation:
      "The request would fail on every device. Correct the text, or give files the tag; `packtool tags --swift` writes "
      + "constants, with which such a slip does not compile.")
  package static let unusedTag = warning(
    "unused-tag", summary: "no code asks for a tag",
    explanation:
      "Its packs are downloaded by nobody unless they come with the app. It may be asked for by a name that code makes: "
      + "then set the severity of this check to \"ignore\".")
  package static let unreadSource = warning(
    "unread-source", summary: "code that was not searched for tags",
    explanation:
      "A file cannot be read, is larger than any file that people write, or is in a language that `--sources` does not search: "
      + "tags in it are not known. Or no source file is below the folder. With `--sources-pattern` all text files are searched."
  )
}
