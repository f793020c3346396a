/// The checks of manifests.
extension Check {
  package static let manifestChecks: [Check] = [
    missingManifest, twoManifests, jsonSyntax, duplicateKey, unknownKey, missingKey, wrongType, invalidValue,
    invalidTag, invalidPath, pathEscapesRoot, noMatch, duplicateRule, twoDestinations, unknownTag,
    repeatedTag, tagInBothLists, tagInTwoForms, unusedAccept, otherStyle,
  ]

  package static let missingManifest = manifestError(
    "missing-manifest", summary: "there is no manifest",
    explanation:
      "packtool reads the file that it is given, or Manifest.json or Manifest.jsonc in the folder that it is given; "
      + "without either, in the current folder or the nearest one above. Name the right one.")
  package static let twoManifests = manifestError(
    "two-manifests", summary: "a folder has a Manifest.json and a Manifest.jsonc",
    explanation:
      "One of them would be ignored in silence. Remove one, or name the file itself in place of its folder.")
  package static let jsonSyntax = manifestError(
    "json-syntax", summary: "the manifest is not JSON",
    explanation:
      "The manifest is strict JSON (RFC 8259) in UTF-8: double quotes, no comments, no comma before a closing "
      + "bracket. Use \"$comment\" keys, which are allowed in every object, or name the file *.jsonc: it may have "
      + "comments and trailing commas.")
  package static let duplicateKey = manifestError(
    "duplicate-key", summary: "an object has a key twice",
    explanation: "Readers of JSON disagree on which of the two counts. Remove one.")
  package static let unknownKey = manifestError(
    "unknown-key", summary: "a key that packtool does not know",
    explanation:
      "A misspelt key would otherwise be ignored in silence. `packtool schema` lists all keys; \"$comment\" is "
      + "allowed everywhere.")
  package static let missingKey = manifestError(
    "missing-key", summary: "a key that must be there is not",
    explanation: "Add the key that the message names.")
  package static let wrongType = manifestError(
    "wrong-type", summary: "a value is of the wrong type",
    explanation: "The message names the type that the key takes.")
  package static let invalidValue = manifestError(
    "invalid-value", summary: "a value of the right type that makes no sense",
    explanation: "The message says what the key takes.")
  package static let invalidTag = manifestError(
    "invalid-tag", summary: "a tag that cannot be one",
    explanation:
      "A tag is part of a pack's name and of URLs, so it may not be empty, only white space, or contain a slash "
      + "or a control character.")
  package static let invalidPath = manifestError(
    "invalid-path", summary: "a path or glob that cannot be one",
    explanation: "Paths are relative to the root, with forward slashes, and never empty.")
  package static let pathEscapesRoot = manifestError(
    "path-escapes-root", summary: "a path leads out of its folder",
    explanation:
      "Only what lies below the root can be packed, and a destination lies inside the pack; \"..\" may not lead "
      + "out. Choose another root, or move the file.")
  package static let noMatch = manifestError(
    "no-match", summary: "a rule that matches no file",
    explanation:
      "Most often a misspelt path, a file that was moved, or a rule for files that are all excluded. Correct the "
      + "path or remove the rule.")
  package static let duplicateRule = manifestError(
    "duplicate-rule", summary: "two rules for the same path or glob",
    explanation: "One of them was probably meant for something else. Give one rule all the tags.")
  package static let twoDestinations = manifestError(
    "two-destinations", summary: "two rules send one file to two places",
    explanation:
      "A file has one place in its pack. Give both rules destinations that agree, or let only one of them match."
  )
  package static let unknownTag = manifestError(
    "unknown-tag", summary: "a tag that no rule gives, or that \"tags\" does not list",
    explanation:
      "The store would deliver nothing for a tag that no rule gives. Most often the spelling differs. With a list of all "
      + "\"tags\", a rule may give no other: correct the tag, or add it to the list.")
  package static let repeatedTag = warning(
    "repeated-tag", summary: "a list names a tag twice",
    explanation: "The first place counts. Remove the second.")
  package static let tagInBothLists = warning(
    "tag-in-both-lists", summary: "a tag is in the initial install and in the prefetch order",
    explanation:
      "The initial install wins: its packs are there before any prefetch begins. Remove the tag from the prefetch "
      + "order.")
  package static let unusedAccept = warning(
    "unused-accept", summary: "an entry of \"accept\" that accepts no finding",
    explanation:
      "What it was for is mended, or its path no longer matches: then what is found next there would be accepted unseen. "
      + "Correct the path, or remove the entry.")
  package static let otherStyle = error(
    "other-style", summary: "a manifest has another style than packtool gives it",
    explanation:
      "Only `packtool fmt --check` and `--diff` look for it, so that changes of a manifest show what they mean and not how "
      + "an editor was set. Run `packtool fmt`.")
  package static let tagInTwoForms = warning(
    "tag-in-two-forms", summary: "a tag is written in two Unicode forms",
    explanation:
      "An accent may be part of its letter or stand behind it: the same text in other bytes. Both are one tag, as "
      + "they are for Swift, but a pack's identifier is made of the bytes of the first. Write the tag in one form."
  )
}
