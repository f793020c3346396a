/// What can be wrong with the folder that a build writes to.
extension Check {
  package static let outputChecks: [Check] = [outputIsRoot, foreignOutput]

  package static let outputIsRoot = safetyRefusal(
    "output-is-root", "the output folder is the root folder of the resources",
    "The packs would lie among the files that they are made of. Write to another folder; it may lie inside the "
      + "root, for the output is never packed.")
  package static let foreignOutput = safetyRefusal(
    "foreign-output", "the output folder holds another program's index.json",
    "A build replaces index.json and removes packs of older builds, so it takes no folder in which the index or the "
      + "packs are another's.")
}
