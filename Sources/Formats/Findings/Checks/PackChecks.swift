/// The checks of the tags and packs in a plan.
extension Check {
  package static let packChecks: [Check] = [
    identifierCollision, tooManyTags, raisedLimit, packSize, packCount, submissionCount, initialInstallSize,
    prefetchSize,
    xcodePrefetch, totalSize, variantSize, appBundleSize, tagSize, inUseSize, cellularSize, duplicateContent,
    redundantTag, ungivenTag, similarTag, everythingInitial, draggedIn,
  ]

  package static let identifierCollision = packError(
    "identifier-collision", summary: "two tag sets make one pack identifier",
    explanation:
      "Xcode's rule joins sorted tags with a colon, so {\"a:b\"} and {\"a\", \"b\"} cannot be told apart. Take "
      + "the colon out of the tag.")
  package static let tooManyTags = packError(
    "too-many-tags", summary: "a file has more tags than any needs",
    explanation:
      "A file gets the tags of every rule that matches it. Leave out tags that no app asks for by themselves."
  )
  package static let raisedLimit = note(
    "raised-limit", summary: "the manifest raises or lifts a limit of the store",
    explanation:
      "\"limits\" of the manifest sets a limit above the one of the profile, or lifts it with null. packtool then accepts "
      + "what the store of the profile refuses. Choose the profile of your store, or set the limit of that store."
  )
  package static let packSize = storeLimit(
    "pack-size", summary: "a pack is larger than the store takes",
    explanation:
      "The store refuses the submission after the upload. Give some of the pack's files a tag of their own; the "
      + "finding proposes which.")
  package static let packCount = storeLimit(
    "pack-count", summary: "there are more packs than the store takes",
    explanation:
      "Every combination of tags that occurs is a pack of its own, so tags multiply. Drop or merge the tags that "
      + "the finding names.")
  package static let submissionCount = note(
    "submission-count", summary: "how many submissions the packs make",
    explanation:
      "App Store Connect takes only so many asset packs in one submission for review. A build in the layout "
      + "\"background-assets\" writes package.sh, which uploads them in such batches.")
  package static let initialInstallSize = storeLimit(
    "initial-install-size", summary: "the initial install is larger than the store takes",
    explanation:
      "Tags in \"initialInstallTags\" are downloaded with the app. Move the later ones to \"prefetchTagOrder\"."
  )
  package static let prefetchSize = storeLimit(
    "prefetch-size", summary: "initial install and prefetch are larger than the store takes",
    explanation: "What does not fit is not prefetched. Take the tags from the finding's place on out of "
      + "\"prefetchTagOrder\"; an app can still ask for them.")
  package static let xcodePrefetch = note(
    "xcode-prefetch", summary: "initial install and prefetch are larger than Xcode exports without a warning",
    explanation: "Xcode warns above 2 GiB, though the store takes 4 GB. Nothing is refused.")
  package static let totalSize = storeLimit(
    "total-size", summary: "all packs together are larger than the store hosts",
    explanation: "Shrink or drop content; the finding names the largest packs.")
  package static let variantSize = storeLimit(
    "variant-size", summary: "the packs of one variant of the app are larger than the store takes",
    explanation:
      "App Store Connect refuses more than 30 GB after thinning (ITMS-90555), also in the universal variant, which has "
      + "all packs.")
  package static let appBundleSize = storeLimit(
    "app-bundle-size", summary: "the app bundle is larger than the store takes",
    explanation: "Move resources out of the app bundle by giving them tags.")
  package static let tagSize = advice(
    "tag-size", summary: "a tag downloads more than Apple advises",
    explanation:
      "A user who meets the tag waits for all its packs. Apple advises at most 64 MB. Split the tag by what is "
      + "needed first.")
  package static let inUseSize = advice(
    "in-use-size", summary: "a tag holds more than can be in use at once",
    explanation:
      "A device keeps only so many bytes of resources that an app is using. A tag beyond that can never be used "
      + "whole.")
  package static let cellularSize = advice(
    "cellular-size", summary: "app and initial install are too large to download over cellular",
    explanation:
      "Above this size a device asks its user before it downloads without Wi-Fi, which costs installs. Move tags "
      + "from the initial install to the prefetch order.")
  package static let duplicateContent = note(
    "duplicate-content", summary: "several packs hold the same content",
    explanation:
      "Users who get the packs download it once for each. One file with the tags of all would be in a pack of its "
      + "own that they share. Files of 16 KiB and more are compared; reported are those that waste at least 16 KiB and a "
      + "thousandth of all packs, and the sum of all others from a hundredth on. \"accept\" in the manifest silences what "
      + "is meant.")
  package static let redundantTag = note(
    "redundant-tag", summary: "tags that never occur without one another",
    explanation: "They stand for the same packs, so one tag would do the work of all.")
  package static let ungivenTag = note(
    "ungiven-tag", summary: "the list of all tags has one that no file has",
    explanation: "An app that asks for it gets nothing. Give it to a file, or take it out of \"tags\".")
  package static let similarTag = warning(
    "similar-tag", summary: "a tag that looks like a slip of another",
    explanation:
      "It differs in case, spaces or one letter, so its files are in a pack that nobody asks for. Correct it; if both tags "
      + "are meant, list all tags in \"tags\". Tags that differ in numbers, or in short words, are no slips.")
  package static let draggedIn = note(
    "dragged-in",
    summary: "much of the initial install or the prefetch comes along by other tags of its files",
    explanation:
      "A pack is downloaded for any of its tags. So files for one language and one level come with the initial install if "
      + "either tag is in its list, also if the other tag is for users who need it later. Where both are needed at once, "
      + "give such files one tag for the two. It is reported from 1 MB and a quarter of the download on; `plan` and "
      + "`explain` show the exact bytes.")
  package static let everythingInitial = note(
    "everything-initial", summary: "every pack is in the initial install",
    explanation:
      "Then nothing is saved over files in the app bundle. Leave out of \"initialInstallTags\" what is not needed "
      + "at the first start.")
}
