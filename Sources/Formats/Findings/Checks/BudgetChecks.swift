/// The checks for updates.
///
/// They find tags of the earlier release that are missing, and exceeded budgets of the team.
extension Check {
  package static let budgetChecks: [Check] = [
    removedTag, updateSize, packBudget, growth, unknownPack, missingBaseline, uncheckedBudget,
    foreignBaseline,
  ]

  package static let removedTag = warning(
    "removed-tag", summary: "the current release lacks a tag of the earlier release",
    explanation:
      "An app gets an error if it requests a tag that has no packs. This can be an installed app that reads "
      + "the new index, or an app whose code still uses the old name. Keep the tag on a file, or change the "
      + "code that requests it. The check needs --baseline.")
  package static let updateSize = error(
    "update-size", summary: "an update downloads more than its budget",
    explanation:
      "A device downloads a whole pack again if anything in the pack changed. `packtool diff` shows which "
      + "packs an update downloads and why, and proposes files that should get a tag of their own. The "
      + "budget is \"updateSize\" in \"budgets\" of the manifest, or --set budgets.updateSize=SIZE.")
  package static let packBudget = error(
    "pack-budget", summary: "a pack is larger than its budget",
    explanation:
      "Your team sets the budget in \"packs\" of \"budgets\" in the manifest, or with --set budgets.packs.TAGS=SIZE. The key "
      + "of a budget is the pack's tags joined with \"+\". Shrink the files that the finding lists, or give "
      + "some of these files a tag of their own."
  )
  package static let growth = error(
    "growth", summary: "all packs together grew by more than their budget",
    explanation:
      "The budget is \"growth\" in \"budgets\" of the manifest, or --set budgets.growth=PART: a percentage of the "
      + "earlier release's size. The finding lists the files that grew most.")
  package static let unknownPack = error(
    "unknown-pack", summary: "a budget for a pack that does not exist",
    explanation:
      "A budget is for the pack whose sorted tags, joined with \"+\", are its key, for example \"Level 1\" "
      + "or \"Level 1+Level 2\". If no pack has these tags, the budget limits nothing.")
  package static let uncheckedBudget = incompleteInput(
    "unchecked-budget", summary: "a budget for updates cannot be checked without an earlier release",
    explanation:
      "\"updateSize\" and \"growth\" limit the changes from one release to the next, so packtool needs the "
      + "earlier release: pass it with --baseline. Before the first release, use "
      + "--severity unchecked-budget=note.")
  package static let foreignBaseline = error(
    "foreign-baseline", summary: "the earlier release belongs to another app",
    explanation:
      "An update from the packs of another app would download everything. Name a release with the same "
      + "bundle identifier."
  )
  package static let missingBaseline = error(
    "missing-baseline", summary: "the earlier release does not exist",
    explanation:
      "packtool cannot compare the build with the release of --baseline. Before the first release, use "
      + "--severity missing-baseline=note: packtool then checks updates and their budgets from the second "
      + "release on.")
}
