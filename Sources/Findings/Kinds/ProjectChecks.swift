/// Checks of Xcode projects.
extension Check {
  package static let projectChecks: [Check] = [
    projectSyntax, damagedProject, unknownTarget, severalTargets, unknownConfiguration, untaggedProject,
    missingResource, outsideProject, conditionalSetting, unresolvedSetting, unreadSettings,
    uncarriedSetting, disabledResources, uncompiledCatalog,
  ]

  package static let projectSyntax = manifestError(
    "project-syntax", "the project file cannot be read",
    "A project.pbxproj is a property list in the form of OpenStep. Most often it was cut short, or a merge left its "
      + "marks. Restore it from version control.")
  package static let damagedProject = manifestError(
    "damaged-project", "objects of the project do not fit together",
    "An object that another refers to is not there, is of another kind, or groups lie within one another in a "
      + "circle. Open the project in Xcode and add the file that the message names again.")
  package static let unknownTarget = manifestError(
    "unknown-target", "the project has no such target",
    "Name one of the targets that the message lists.")
  package static let severalTargets = manifestError(
    "several-targets", "the project has several apps",
    "Each app has packs of its own. Say which one with --target.")
  package static let unknownConfiguration = manifestError(
    "no-configuration", "the target has no such configuration",
    "Name one of the configurations that the message lists.")
  package static let untaggedProject = manifestError(
    "untagged-project", "no resource of the target has a tag",
    "There is nothing to pack. Tags stand on the files of the target's Resources phase, in synchronized folders "
      + "and in asset catalogs.")
  package static let missingResource = warning(
    "missing-resource", "a file with tags is not there",
    "Its tags could not be carried, and no pack will hold it. Restore the file, or remove it from the project."
  )
  package static let outsideProject = warning(
    "outside-project", "a file with tags lies outside the project's folder",
    "Other machines may have something else there, so its tags are not carried. Move the file into the project."
  )
  package static let conditionalSetting = warning(
    "conditional-setting", "a build setting that depends on the SDK or architecture",
    "A manifest has one value for all; the one without a condition is taken.")
  package static let unresolvedSetting = warning(
    "unresolved-setting", "a build setting names another that is not known",
    "Its value comes from a file or an environment that packtool does not read. It is taken as empty.")
  package static let unreadSettings = warning(
    "unread-settings", "build settings stand in a file that cannot be read",
    "A file of settings (.xcconfig) may have the tags of the initial install or the prefetch order, the app's "
      + "identifier or the URL of packs. Make it, as by \"pod install\", or take its name out of the project."
  )
  package static let uncarriedSetting = note(
    "uncarried-setting", "a build setting that a manifest has no key for",
    "Builds from the project itself follow it. Builds from the manifest take the flag that the message names."
  )
  package static let disabledResources = warning(
    "disabled-resources", "the target does not use on-demand resources",
    "With ENABLE_ON_DEMAND_RESOURCES set to NO Xcode leaves all files in the app. packtool carries the tags.")
  package static let uncompiledCatalog = note(
    "uncompiled-catalog", "an item of an asset catalog has tags",
    "Xcode compiles tagged items into an Assets.car for each pack, which needs Apple's actool. packtool packs the "
      + "item's folder as it is; an app reads its files by name.")
}
