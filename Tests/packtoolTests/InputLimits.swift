import AppleFormats
import Archiving
import BackgroundAssets
import Findings
import Formats
import PackKit
import Projects
import Published
import Releases
import Scenarios
@testable import Simulation

/// Every limit of the input, larger than any real project, so that hostile input ends in a finding, with the words for the
/// number and the check that reports an excess, in the order of the page of input limits.
let inputLimits: [(summary: String, most: Int, check: Check)] = [
  ("bytes of a manifest", ManifestReader.longestManifest, .jsonSyntax),
  ("bytes of a manifest for `fmt`", JSONStyle.longestText, .jsonSyntax),
  ("bytes of the result of `fmt`", JSONStyle.longestResult, .jsonSyntax),
  ("levels of arrays and objects in JSON", JSONReader.deepestLevel, .jsonSyntax),
  ("rules of a manifest", Manifest.mostRules, .invalidValue),
  ("globs in `exclude`", Manifest.mostExcludes, .invalidValue),
  ("elements of `accept`", AcceptRule.most, .invalidValue),
  ("tags of a rule", ResourceRule.mostTags, .invalidValue),
  ("tags of a file, from all its rules", ResourceRule.mostTags, .tooManyTags),
  ("tags of all tag sets, where templates make some", SharedTagSets.most, .invalidValue),
  ("bytes of a tag", TextForm.longestTag, .invalidTag),
  ("bytes of a path or glob in a manifest", RelativePath.longest, .invalidPath),
  ("patterns that the braces of a glob stand for", Glob.mostBranches, .invalidPath),
  ("bytes of these patterns", Glob.mostExpandedBytes, .invalidPath),
  ("patterns that the braces of a whole manifest stand for", GlobRoom.mostPatterns, .invalidPath),
  ("bytes of these", GlobRoom.mostBytes, .invalidPath),
  ("levels of folders below the root", AssetScan.deepestLevel, .unreadableFile),
  ("bytes of a glob with tag templates", GlobCaptures.longestGlob, .invalidPath),
  ("patterns that its braces stand for", GlobCaptures.mostBranches, .invalidPath),
  ("bytes of a file's path", RelativePath.longest, .invalidName),
  ("bytes of a file", Int(AssetFile.largest), .fileTooLarge),
  ("bytes of a `Contents.json` in an asset catalog", CatalogContents.longest, .unknownTrait),
  ("bytes of an Xcode project", OpenStepReader.longestText, .projectSyntax),
  ("bytes of one as XML, binary or JSON", PropertyList.longest, .projectSyntax),
  ("levels of values in an Xcode project", OpenStepReader.deepestLevel, .projectSyntax),
  ("levels of groups in it", ProjectPaths.deepestGroup, .projectSyntax),
  ("bytes of the path of a file or group in it", ProjectPaths.longestPath, .projectSyntax),
  ("names in all these paths", ProjectPaths.mostNames, .projectSyntax),
  ("bytes of all these paths", ProjectPaths.mostBytes, .projectSyntax),
  ("bytes of its files of settings (`.xcconfig`)", SettingsFiles.mostBytes, .projectSyntax),
  ("lines of these, one that includes a file counted as 100", SettingsFiles.mostLines, .projectSyntax),
  ("files of settings that include one another", SettingsFiles.deepest, .projectSyntax),
  ("patterns in `EXCLUDED_SOURCE_FILE_NAMES`", BuildFileFilter.mostPatterns, .projectSyntax),
  ("bytes of a trace of loads", LoadTrace.longestTrace, .traceSyntax),
  ("packs that `merge` joins", MergePlan.mostPacks, .invalidValue),
  ("bytes of a manifest for `ba-package`", BackgroundManifestReader.longest, .missingManifest),
  ("bytes of the files of `--id-map` and `--ledger`", PackLedger.longest, .invalidIDMap),
  ("bytes of a download manifest", DownloadManifest.longest, .damagedIndex),
  ("bytes of a `tags.json`", TagsFormat.longest, .missingIndex),
  ("packs of a `tags.json`", PublishedTags.mostPacks, .damagedIndex),
  ("bytes of a file of code", CodeSearch.longestFile, .unreadSource),
  ("bytes of a scenario", ScenarioReader.longestScenario, .jsonSyntax),
  ("steps of a scenario, those it repeats as often as they are done", Scenario.mostSteps, .invalidValue),
  ("packs that the open requests of a scenario hold at once", Simulation.Bounds().pins, .invalidValue),
  ("looks at packs that the steps of a scenario take", Simulation.Bounds().looks, .invalidValue),
  ("bytes of a log to replay", RequestLogReader.longestLog, .logSyntax),
  ("downloads of such a log", RequestLogReader.mostDownloads, .logSyntax),
  ("bytes of an `index.json`", IndexFormat.longest, .damagedIndex),
  ("bytes of a string in a list of files", JSONStream.longestToken, .damagedIndex),
  ("bytes of a name in an archive", ArchiveReader.longestName, .damagedPack),
  ("bytes of the property lists in an `.ipa`", PropertyList.longest, .damagedIndex),
  ("bytes of all names that `inspect` lists", NameRoom.most, .damagedPack),
  ("bytes of the window of a Zstandard frame", ZstandardSettings.largestWindow, .damagedPack),
]
