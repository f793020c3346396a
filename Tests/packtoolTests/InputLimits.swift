import Archiving
import Formats
import Inspect
import Model
import Pipeline
@testable import Play

/// Every limit of the input, in the order of the page on input limits.
///
/// Each limit has a description, its number, and the check that reports an excess. The limits are larger than
/// any real project needs. So only hostile input exceeds them, and the result is a finding.
let inputLimits: [(summary: String, most: Int, check: Check)] = [
  ("bytes of a manifest", ManifestReader.maxManifestSize, .jsonSyntax),
  ("bytes of a manifest for `fmt`", JSONStyle.maxTextSize, .jsonSyntax),
  ("bytes of the result of `fmt`", JSONStyle.maxResultSize, .jsonSyntax),
  ("levels of arrays and objects in JSON", JSONReader.deepestLevel, .jsonSyntax),
  ("rules of a manifest", Manifest.maxRules, .invalidValue),
  ("globs in `exclude`", Manifest.maxExcludes, .invalidValue),
  ("elements of `accept`", AcceptRule.maxElements, .invalidValue),
  ("tags of a rule", ResourceRule.maxTags, .invalidValue),
  ("tags of a file, from all its rules", ResourceRule.maxTags, .tooManyTags),
  ("tags of all tag sets, where templates make some", SharedTagSets.maxTags, .invalidValue),
  ("bytes of a tag", StringFormat.maxTagSize, .invalidTag),
  ("bytes of a path or glob in a manifest", RelativePath.maxSize, .invalidPath),
  ("patterns that the braces of a glob stand for", Glob.maxBranches, .invalidPath),
  ("bytes of these patterns", Glob.maxExpandedBytes, .invalidPath),
  ("patterns that the braces of a whole manifest stand for", ExpansionBudget.maxPatterns, .invalidPath),
  ("bytes of these", ExpansionBudget.maxBytes, .invalidPath),
  ("levels of folders below the root", AssetScan.deepestLevel, .unreadableFile),
  ("bytes of a glob with tag templates", GlobCaptures.maxGlobSize, .invalidPath),
  ("patterns that its braces stand for", GlobCaptures.maxBranches, .invalidPath),
  ("bytes of a file's path", RelativePath.maxSize, .invalidName),
  ("bytes of a file", Int(AssetFile.largest), .fileTooLarge),
  ("bytes of a `Contents.json` in an asset catalog", CatalogContents.maxSize, .unknownTrait),
  ("bytes of an Xcode project", OpenStepReader.maxTextSize, .projectSyntax),
  ("bytes of one as XML, binary or JSON", PropertyList.maxSize, .projectSyntax),
  ("levels of values in an Xcode project", OpenStepReader.deepestLevel, .projectSyntax),
  ("levels of groups in it", ProjectPathResolver.deepestGroup, .projectSyntax),
  ("bytes of the path of a file or group in it", ProjectPathResolver.maxPathSize, .projectSyntax),
  ("names in all these paths", ProjectPathResolver.maxNames, .projectSyntax),
  ("bytes of all these paths", ProjectPathResolver.maxBytes, .projectSyntax),
  ("bytes of its files of settings (`.xcconfig`)", SettingsFiles.maxBytes, .projectSyntax),
  ("lines of these, one that includes a file counted as 100", SettingsFiles.maxLines, .projectSyntax),
  ("files of settings that include one another", SettingsFiles.deepest, .projectSyntax),
  ("patterns in `EXCLUDED_SOURCE_FILE_NAMES`", BuildFileFilter.maxPatterns, .projectSyntax),
  ("bytes of a trace of loads", LoadTrace.maxTraceSize, .traceSyntax),
  ("packs that `merge` joins", CombinePlan.maxPacks, .invalidValue),
  ("bytes of a manifest for `ba-package`", BackgroundManifestReader.maxSize, .missingManifest),
  ("bytes of an ID lockfile or a version lockfile", PackLockfile.maxSize, .invalidIDMap),
  ("bytes of a download manifest", DownloadManifest.maxSize, .damagedIndex),
  ("bytes of a `tags.json`", TagsFormat.maxSize, .missingIndex),
  ("packs of a `tags.json`", PublishedTags.maxPacks, .damagedIndex),
  ("bytes of a file of code", CodeSearch.maxFileSize, .unreadSource),
  ("bytes of a scenario", ScenarioReader.maxScenarioSize, .jsonSyntax),
  ("steps of a scenario, those it repeats as often as they are done", Scenario.maxSteps, .invalidValue),
  ("packs that the open requests of a scenario hold at once", Simulation.Bounds().pins, .invalidValue),
  ("looks at packs that the steps of a scenario take", Simulation.Bounds().maxLookups, .invalidValue),
  ("bytes of a log to replay", RequestLogReader.maxLogSize, .logSyntax),
  ("downloads of such a log", RequestLogReader.maxDownloads, .logSyntax),
  ("bytes of an `index.json`", IndexFormat.maxSize, .damagedIndex),
  ("bytes of a string in a list of files", JSONStream.maxTokenSize, .damagedIndex),
  ("bytes of a name in an archive", ArchiveReader.maxNameSize, .damagedPack),
  ("bytes of the property lists in an `.ipa`", PropertyList.maxSize, .damagedIndex),
  ("bytes of all names that `inspect` lists", NameBudget.maxBytes, .damagedPack),
  ("bytes of the window of a Zstandard frame", ZstandardSettings.maxWindowSize, .damagedPack),
]
