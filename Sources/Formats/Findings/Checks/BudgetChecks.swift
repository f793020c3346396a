/// The checks of updates: tags of the earlier release that are missing, and the team's budgets.
extension Check {
  package static let budgetChecks: [Check] = [
    removedTag, updateSize, packBudget, growth, unknownPack, missingBaseline, uncheckedBudget,
    foreignBaseline,
  ]

  package static let removedTag = warning(
    "removed-tag", summary: "a tag of the baseline that the current release lacks",
    explanation:
      "An app that asks for a tag without packs gets an error. That can be an installed app that reads the new index, or code "
      + "that still has the old name. Keep the tag on a file, or change the code that asks for it. The check needs "
      + "--baseline.")
  package static let updateSize = error(
    "update-size", summary: "an update downloads more than its budget",
    explanation:
      "A device downloads a pack whole where anything in it changed. `packtool diff` shows which packs an update "
      + "downloads and why, and proposes which files to give a tag of their own. The budget is \"updateSize\" in "
      + "the manifest's \"budgets\", or --budget-update.")
  package static let packBudget = error(
    "pack-budget", summary: "a pack is larger than its budget",
    explanation:
      "The budget is the team's own, by the pack's tags with \"+\" between, in \"packs\" of the manifest's "
      + "\"budgets\", or --budget-pack. Shrink the files that the finding names, or give some a tag of their own."
  )
  package static let growth = error(
    "growth", summary: "all packs together grew more than their budget",
    explanation:
      "The budget is \"growth\" in the manifest's \"budgets\", or --budget-growth, as a part of the baseline's "
      + "size. The finding names the files that grew most.")
  package static let unknownPack = error(
    "unknown-pack", summary: "a budget for a pack that does not exist",
    explanation:
      "A budget names a pack by its tags, sorted, with \"+\" between: \"Level 1\", \"Level 1+Level 2\". It would "
      + "otherwise hold nothing.")
  package static let uncheckedBudget = standIn(
    "unchecked-budget", summary: "a budget of updates without a release to compare with",
    explanation:
      "\"updateSize\" and \"growth\" limit what changes from one release to the next, so they need --baseline. With "
      + "--baseline-optional this is a note.")
  package static let foreignBaseline = error(
    "foreign-baseline", summary: "a baseline of another app",
    explanation:
      "An update from another app's packs would be a download of everything. Name a build with the same bundle identifier."
  )
  package static let missingBaseline = note(
    "missing-baseline", summary: "there is no release to compare with yet",
    explanation:
      "With --baseline-optional the first build of a project, which has no baseline, is not refused. Budgets of updates "
      + "hold from the next one on.")
}
