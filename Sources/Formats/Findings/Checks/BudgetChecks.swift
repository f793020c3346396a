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
      "An app that requests a tag without packs gets an error. This can be an installed app that reads the "
      + "new index, or code that still uses the old name. Keep the tag on a file, or change the code that "
      + "requests it. The check needs --baseline.")
  package static let updateSize = error(
    "update-size", summary: "an update downloads more than its budget",
    explanation:
      "A device downloads a whole pack again if anything in it changed. `packtool diff` shows which packs an "
      + "update downloads and why, and proposes which files should get a tag of their own. The budget is "
      + "\"updateSize\" in the manifest's \"budgets\", or --budget-update.")
  package static let packBudget = error(
    "pack-budget", summary: "a pack is larger than its budget",
    explanation:
      "Your team sets the budget in \"packs\" of the manifest's \"budgets\", or with --budget-pack; its key "
      + "is the pack's tags joined with \"+\". Shrink the files that the finding names, or give some of them "
      + "a tag of their own."
  )
  package static let growth = error(
    "growth", summary: "all packs together grew more than their budget",
    explanation:
      "The budget is \"growth\" in the manifest's \"budgets\", or --budget-growth: a percentage of the "
      + "earlier release's size. The finding names the files that grew most.")
  package static let unknownPack = error(
    "unknown-pack", summary: "a budget for a pack that does not exist",
    explanation:
      "A budget names a pack by its sorted tags, joined with \"+\": \"Level 1\", \"Level 1+Level 2\". A "
      + "budget with another name would limit nothing.")
  package static let uncheckedBudget = standIn(
    "unchecked-budget", summary: "a budget for updates without an earlier release",
    explanation:
      "\"updateSize\" and \"growth\" limit what changes from one release to the next, so they need "
      + "--baseline. With --baseline-optional this finding is a note.")
  package static let foreignBaseline = error(
    "foreign-baseline", summary: "the earlier release belongs to another app",
    explanation:
      "An update from the packs of another app would download everything. Name a release with the same "
      + "bundle identifier."
  )
  package static let missingBaseline = note(
    "missing-baseline", summary: "there is no earlier release yet",
    explanation:
      "With --baseline-optional, packtool accepts the first build of a project although there is no earlier "
      + "release. Budgets for updates apply from the next build on.")
}
