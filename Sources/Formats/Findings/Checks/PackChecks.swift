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
      "Xcode makes the identifier from the sorted tags, joined with colons. So {\"a:b\"} and {\"a\", \"b\"} "
      + "give the same identifier. Remove the colon from the tag.")
  package static let tooManyTags = packError(
    "too-many-tags", summary: "a file has more tags than a file normally needs",
    explanation:
      "A file gets the tags of every rule that matches it. Remove tags that no app requests separately."
  )
  package static let raisedLimit = note(
    "raised-limit", summary: "the manifest raises or removes a limit of the store",
    explanation:
      "\"limits\" in the manifest sets a limit that is higher than the limit of the profile, or removes the "
      + "limit with null. packtool then accepts packs that the store of the profile refuses. Choose the "
      + "profile of your store, or set the limit that your store has."
  )
  package static let packSize = storeLimit(
    "pack-size", summary: "a pack is larger than the store allows",
    explanation:
      "The store refuses the submission after you have uploaded it. Give some files of the pack a tag of "
      + "their own; the finding proposes which files.")
  package static let packCount = storeLimit(
    "pack-count", summary: "there are more packs than the store allows",
    explanation:
      "Each combination of tags that a file has becomes a separate pack, so more tags can lead to many more "
      + "packs. Remove or combine the tags that the finding lists.")
  package static let submissionCount = note(
    "submission-count", summary: "the number of submissions that the packs need",
    explanation:
      "App Store Connect limits the number of asset packs in one submission for review. A build with the "
      + "layout \"background-assets\" writes package.sh, which uploads the packs in batches that fit into "
      + "one submission.")
  package static let initialInstallSize = storeLimit(
    "initial-install-size", summary: "the initial install is larger than the store allows",
    explanation:
      "Tags in \"initialInstallTags\" are downloaded with the app. Move tags that players need later to "
      + "\"prefetchTagOrder\"."
  )
  package static let prefetchSize = storeLimit(
    "prefetch-size", summary: "initial install and prefetch together are larger than the store allows",
    explanation:
      "Packs that do not fit are not prefetched. The finding points to the first tag that does not fit. "
      + "Remove this tag and the tags after it from \"prefetchTagOrder\"; an app can still request them.")
  package static let xcodePrefetch = note(
    "xcode-prefetch",
    summary: "initial install and prefetch together exceed the size at which Xcode warns",
    explanation:
      "Xcode warns above 2 GiB, although the store accepts 4 GB. Neither Xcode nor the store refuses the "
      + "packs.")
  package static let totalSize = storeLimit(
    "total-size", summary: "all packs together are larger than the store hosts",
    explanation: "Shrink or remove content. The finding lists the largest packs.")
  package static let variantSize = storeLimit(
    "variant-size", summary: "the packs of one app variant are larger than the store allows",
    explanation:
      "App Store Connect refuses app variants that are larger than 30 GB after thinning (ITMS-90555). This "
      + "limit also applies to the universal variant, which contains all packs.")
  package static let appBundleSize = storeLimit(
    "app-bundle-size", summary: "the app bundle is larger than the store allows",
    explanation: "Give tags to some resources, so that they move out of the app bundle.")
  package static let tagSize = advice(
    "tag-size", summary: "the packs of a tag are larger than Apple advises",
    explanation:
      "A user who needs the tag waits until all its packs are downloaded. Apple advises at most 64 MB for a "
      + "tag. Give a separate tag to the files that are needed first.")
  package static let inUseSize = advice(
    "in-use-size", summary: "the packs of a tag are larger than what can be in use at the same time",
    explanation:
      "A device limits the size of the resources that an app uses at the same time. If a tag is larger than "
      + "this limit, an app can never use all files of the tag together.")
  package static let cellularSize = advice(
    "cellular-size", summary: "the app and the initial install are too large to download over cellular",
    explanation:
      "If a download is larger than this, a device without Wi-Fi asks the user first, so fewer users install "
      + "the app. Move tags from the initial install to the prefetch order.")
  package static let duplicateContent = note(
    "duplicate-content", summary: "several packs contain the same content",
    explanation:
      "Users who get several of these packs download the content several times. If one file had all the tags "
      + "instead, it would be in one pack that all of them share. packtool compares files of 16 KiB or more. "
      + "It reports a group of equal files if the group wastes at least 16 KiB and 0.1 % of the size of all "
      + "packs. It reports the sum of all other groups if they waste 1 % or more. If the copies are "
      + "intentional, use \"accept\" in the manifest.")
  package static let redundantTag = note(
    "redundant-tag", summary: "tags that never occur without one another",
    explanation: "These tags belong to exactly the same packs, so one of the tags is enough.")
  package static let ungivenTag = note(
    "ungiven-tag", summary: "the list \"tags\" contains a tag that no file has",
    explanation:
      "An app that requests the tag gets nothing. Give the tag to a file, or remove it from \"tags\".")
  package static let similarTag = warning(
    "similar-tag", summary: "a tag that looks like a misspelling",
    explanation:
      "The tag differs from another tag only in case, in spaces or in one letter, or the "
      + "tag begins or ends with a space, or it contains several other tags, such as \"Castle, Forest\". If it is "
      + "a mistake, its "
      + "files are in a pack that no app requests. Correct the tag; if you need both tags, list all tags in "
      + "\"tags\". packtool does not report tags that differ in numbers or in short words.")
  package static let draggedIn = note(
    "dragged-in",
    summary: "much of the initial install or the prefetch also has tags that are in no list",
    explanation:
      "A device downloads a pack if it needs any of the tags of the pack. For example, files with a language "
      + "tag and a level tag come with the initial install if only one of the two tags is in the list, even "
      + "if users need the other tag later. If an app always needs both tags together, give such files one "
      + "combined tag instead. packtool reports this from 1 MB and 25 % of the download on. `plan` and "
      + "`explain` show the exact bytes.")
  package static let everythingInitial = note(
    "everything-initial", summary: "every pack is in the initial install",
    explanation:
      "If all packs are in the initial install, they save nothing compared with files in the app bundle. "
      + "Remove tags from \"initialInstallTags\" that players do not need at the first start.")
}
