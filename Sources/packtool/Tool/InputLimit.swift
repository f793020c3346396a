import Archiving
package import Findings
import Formats
import PackKit
import Projects
import Simulation
import Releases

/// A limit of the input, larger than any real project, so that hostile input ends in a finding.
package struct InputLimit: Sendable {
  /// The words for the number that is limited.
  package let summary: String
  /// The largest accepted number.
  package let most: Int
  /// The check that reports an excess.
  package let check: Check

  private init(_ summary: String, _ most: Int, _ check: Check) {
    self.summary = summary
    self.most = most
    self.check = check
  }

  /// Every limit, in the order of the page of input limits.
  package static let all: [InputLimit] = [
    InputLimit("bytes of a manifest", ManifestReader.longestManifest, .jsonSyntax),
    InputLimit("bytes of a manifest for `fmt`", JSONStyle.longestText, .jsonSyntax),
    InputLimit("bytes of the result of `fmt`", JSONStyle.longestResult, .jsonSyntax),
    InputLimit("levels of arrays and objects in JSON", JSONReader.deepestLevel, .jsonSyntax),
    InputLimit("rules of a manifest", Manifest.mostRules, .invalidValue),
    InputLimit("globs in `exclude`", Manifest.mostExcludes, .invalidValue),
    InputLimit("elements of `accept`", AcceptRule.most, .invalidValue),
    InputLimit("tags of a rule", ResourceRule.mostTags, .invalidValue),
    InputLimit("tags of a file, from all its rules", ResourceRule.mostTags, .tooManyTags),
    InputLimit("tags of all tag sets, where templates make some", SharedTagSets.most, .invalidValue),
    InputLimit("bytes of a tag", TextForm.longestTag, .invalidTag),
    InputLimit("bytes of a path or glob in a manifest", RelativePath.longest, .invalidPath),
    InputLimit("patterns that the braces of a glob stand for", Glob.mostBranches, .invalidPath),
    InputLimit("bytes of these patterns", Glob.mostExpandedBytes, .invalidPath),
    InputLimit("patterns that the braces of a whole manifest stand for", GlobRoom.mostPatterns, .invalidPath),
    InputLimit("bytes of these", GlobRoom.mostBytes, .invalidPath),
    InputLimit("levels of folders below the root", AssetScan.deepestLevel, .unreadableFile),
    InputLimit("bytes of a glob with tag templates", GlobCaptures.longestGlob, .invalidPath),
    InputLimit("patterns that its braces stand for", GlobCaptures.mostBranches, .invalidPath),
    InputLimit("bytes of a file's path", RelativePath.longest, .invalidName),
    InputLimit("bytes of a file", Int(AssetFile.largest), .fileTooLarge),
    InputLimit("bytes of a `Contents.json` in an asset catalog", CatalogContents.longest, .unknownTrait),
    InputLimit("bytes of an Xcode project", OpenStepReader.longestText, .projectSyntax),
    InputLimit("bytes of one as XML, binary or JSON", PropertyList.longest, .projectSyntax),
    InputLimit("levels of values in an Xcode project", OpenStepReader.deepestLevel, .projectSyntax),
    InputLimit("bytes of its files of settings (`.xcconfig`)", SettingsFiles.mostBytes, .projectSyntax),
    InputLimit(
      "lines of these, one that includes a file counted as 100", SettingsFiles.mostLines, .projectSyntax),
    InputLimit("files of settings that include one another", SettingsFiles.deepest, .projectSyntax),
    InputLimit(
      "patterns in `EXCLUDED_SOURCE_FILE_NAMES`", BuildFileFilter.mostPatterns, .projectSyntax),
    InputLimit("bytes of a trace of loads", LoadTrace.longestTrace, .traceSyntax),
    InputLimit("packs that `merge` joins", MergePlan.mostPacks, .invalidValue),
    InputLimit("bytes of a manifest for `ba-package`", BackgroundManifestReader.longest, .missingManifest),
    InputLimit("bytes of the files of `--id-map` and `--ledger`", PackLedger.longest, .invalidIDMap),
    InputLimit("bytes of a download manifest", DownloadManifest.longest, .damagedIndex),
    InputLimit("bytes of a `tags.json`", TagsFormat.longest, .missingIndex),
    InputLimit("packs of a `tags.json`", PublishedTags.mostPacks, .damagedIndex),
    InputLimit("bytes of a file of code", CodeSearch.longestFile, .unreadSource),
    InputLimit("bytes of a scenario", ScenarioReader.longestScenario, .jsonSyntax),
    InputLimit(
      "steps of a scenario, those it repeats as often as they are done", Scenario.mostSteps, .invalidValue),
    InputLimit(
      "packs that the open requests of a scenario hold at once", Simulation.Bounds().pins, .invalidValue),
    InputLimit("looks at packs that the steps of a scenario take", Simulation.Bounds().looks, .invalidValue),
    InputLimit("bytes of a log to replay", RequestLogReader.longestLog, .logSyntax),
    InputLimit("downloads of such a log", RequestLogReader.mostDownloads, .logSyntax),
    InputLimit("bytes of an `index.json`", IndexFormat.longest, .damagedIndex),
    InputLimit("bytes of a string in a list of files", JSONStream.longestToken, .damagedIndex),
    InputLimit("bytes of a name in an archive", ArchiveReader.longestName, .damagedPack),
    InputLimit("bytes of the property lists in an `.ipa`", PropertyList.longest, .damagedIndex),
    InputLimit("bytes of all names that `inspect` lists", NameRoom.most, .damagedPack),
    InputLimit("bytes of the window of a Zstandard frame", ZstandardSettings.largestWindow, .damagedPack),
  ]
}
