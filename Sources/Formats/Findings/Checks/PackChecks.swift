/// The checks for the tags and packs in a plan.
extension Check {
  package static let packChecks: [Check] = [
    identifierCollision, tooManyTags, raisedLimit, packSize, packCount, submissionCount, initialInstallSize,
    prefetchSize,
    xcodePrefetch, totalSize, variantSize, appBundleSize, tagSize, inUseSize, cellularSize, duplicateContent,
    redundantTag, ungivenTag, similarTag, everythingInitial, draggedIn,
  ]

  package static let identifierCollision = packError(
    "identifier-collision", summary: "two tag sets give the same pack identifier",
    explanation:
      "Xcode joins the sorted tags with a colon, so {\"a:b\"} and {\"a\", \"b\"} give the same identifier. "
      + "Remove the colon from the tag.")
  package static let tooManyTags = packError(
    "too-many-tags", summary: "a file has more tags than a file normally needs",
    explanation:
      "A file gets the tags of every rule that matches it. Leave out tags that no app requests by themselves."
  )
  package static let raisedLimit = note(
    "raised-limit", summary: "the manifest raises or lifts a limit of the store",
    explanation:
      "\"limits\" in the manifest sets a limit above the limit of the profile, or lifts it with null. "
      + "packtool then accepts packs that the store of the profile refuses. Choose the profile of your "
      + "store, or set the limit of that store."
  )
  package static let packSize = storeLimit(
    "pack-size", summary: "a pack is larger than the store allows",
    explanation:
      "The store refuses the submission after the upload. Give some of the pack's files a tag of their own; "
      + "the finding proposes which.")
  package static let packCount = storeLimit(
    "pack-count", summary: "there are more packs than the store allows",
    explanation:
      "Each combination of tags that occurs is a separate pack, so the number of packs grows quickly with "
      + "the tags. Remove or combine the tags that the finding names.")
  package static let submissionCount = note(
    "submission-count", summary: "the number of submissions that the packs need",
    explanation:
      "App Store Connect limits the number of asset packs in one submission for review. A build with the "
      + "layout \"background-assets\" writes package.sh, which uploads the packs in batches of that size.")
  package static let initialInstallSize = storeLimit(
    "initial-install-size", summary: "the initial install is larger than the store allows",
    explanation:
      "Tags in \"initialInstallTags\" are downloaded with the app. Move tags that players need later to "
      + "\"prefetchTagOrder\"."
  )
  package static let prefetchSize = storeLimit(
    "prefetch-size", summary: "initial install and prefetch together are larger than the store allows",
    explanation: "Packs that do not fit are not prefetched. Remove the tags from the place of the finding "
      + "onward from \"prefetchTagOrder\"; an app can still request them.")
  package static let xcodePrefetch = note(
    "xcode-prefetch",
    summary: "initial install and prefetch together exceed the size at which Xcode warns",
    explanation:
      "Xcode warns above 2 GiB, although the store accepts 4 GB. Neither of them refuses the packs.")
  package static let totalSize = storeLimit(
    "total-size", summary: "all packs together are larger than the store hosts",
    explanation: "Shrink or remove content; the finding names the largest packs.")
  package static let variantSize = storeLimit(
    "variant-size", summary: "the packs of one app variant are larger than the store allows",
    explanation:
      "App Store Connect refuses app variants of more than 30 GB after thinning (ITMS-90555). This also "
      + "applies to the universal variant, which has all packs.")
  package static let appBundleSize = storeLimit(
    "app-bundle-size", summary: "the app bundle is larger than the store allows",
    explanation: "Move resources out of the app bundle by giving them tags.")
  package static let tagSize = advice(
    "tag-size", summary: "a tag downloads more than Apple advises",
    explanation:
      "A user who needs the tag waits for all its packs. Apple advises at most 64 MB. Split the tag, so that "
      + "the files that are needed first have their own tag.")
  package static let inUseSize = advice(
    "in-use-size", summary: "the packs of a tag are larger than what can be in use at the same time",
    explanation:
      "A device limits the bytes of resources that an app uses at the same time. An app can never use all "
      + "files of a tag above this limit.")
  package static let cellularSize = advice(
    "cellular-size", summary: "app and initial install are too large to download over cellular",
    explanation:
      "Above this size a device asks the user before it downloads without Wi-Fi, so fewer users install the "
      + "app. Move tags from the initial install to the prefetch order.")
  package static let duplicateContent = note(
    "duplicate-content", summary: "several packs contain the same content",
    explanation:
      "Users who get these packs download the content once for each pack. One file with all the tags would "
      + "be in a pack of its own that they share. packtool compares files of 16 KiB and more. It reports "
      + "contents that waste at least 16 KiB and 0.1 % of all packs, and the sum of all other contents from "
      + "1 % on. \"accept\" in the manifest silences intended copies.")
  package static let redundantTag = note(
    "redundant-tag", summary: "tags that never occur without one another",
    explanation: "These tags stand for the same packs, so one tag would do the same.")
  package static let ungivenTag = note(
    "ungiven-tag", summary: "the list of all tags has a tag that no file has",
    explanation:
      "An app that requests the tag gets nothing. Give the tag to a file, or remove it from \"tags\".")
  package static let similarTag = warning(
    "similar-tag", summary: "a tag that looks like a misspelling of another tag",
    explanation:
      "It differs in case, spaces or one letter, so its files are in a pack that no app requests. Correct "
      + "it; if you need both tags, list all tags in \"tags\". Tags that differ in numbers, or in short "
      + "words, are not reported.")
  package static let draggedIn = note(
    "dragged-in",
    summary: "other tags pull in much of the initial install or the prefetch",
    explanation:
      "A device downloads a pack for any of its tags. So files for one language and one level come with the "
      + "initial install if either tag is in its list, even if the other tag is for users who need it later. "
      + "If an app needs both tags together, give such files one tag instead of the two. packtool reports "
      + "this from 1 MB and 25 % of the download on; `plan` and `explain` show the exact bytes.")
  package static let everythingInitial = note(
    "everything-initial", summary: "every pack is in the initial install",
    explanation:
      "Such packs save nothing compared with files in the app bundle. Remove tags from "
      + "\"initialInstallTags\" that players do not need at the first start.")
}
