/// The checks for manifests.
extension Check {
  package static let manifestChecks: [Check] = [
    missingManifest, twoManifests, jsonSyntax, duplicateKey, unknownKey, missingKey, wrongType, invalidValue,
    invalidTag, invalidPath, pathEscapesRoot, noMatch, duplicateRule, twoDestinations, unknownTag,
    repeatedTag, tagInBothLists, tagInTwoForms, unusedAccept, otherStyle,
  ]

  package static let missingManifest = manifestError(
    "missing-manifest", summary: "there is no manifest",
    explanation:
      "packtool reads the file that you name, or Manifest.json or Manifest.jsonc in the folder that you "
      + "name. If you name neither a file nor a folder, packtool looks in the current folder and then in the "
      + "folders above it. Name the manifest.")
  package static let twoManifests = manifestError(
    "two-manifests", summary: "a folder contains both a Manifest.json and a Manifest.jsonc",
    explanation:
      "If packtool accepted both files, it would ignore one of them silently. Remove one of the files, or "
      + "name the file instead of its folder.")
  package static let jsonSyntax = manifestError(
    "json-syntax", summary: "the manifest is not valid JSON",
    explanation:
      "The manifest is strict JSON (RFC 8259) in UTF-8. Strings are in double quotes, and there are no "
      + "comments and no comma before a closing bracket. Use \"$comment\" keys, which are allowed in every "
      + "object, or give the file the extension .jsonc, which allows comments and trailing commas.")
  package static let duplicateKey = manifestError(
    "duplicate-key", summary: "an object has the same key twice",
    explanation: "JSON readers disagree on which of the two values to use. Remove one of the keys.")
  package static let unknownKey = manifestError(
    "unknown-key", summary: "a key that packtool does not know",
    explanation:
      "packtool reports unknown keys because otherwise it would silently ignore a misspelled key. `packtool "
      + "schema` lists all keys. \"$comment\" is allowed in every object.")
  package static let missingKey = manifestError(
    "missing-key", summary: "a required key is missing",
    explanation: "Add the key that the message names.")
  package static let wrongType = manifestError(
    "wrong-type", summary: "a value has the wrong type",
    explanation: "The message names the type that the key requires.")
  package static let invalidValue = manifestError(
    "invalid-value", summary: "a value has the right type but is not allowed",
    explanation: "The message says which values are allowed.")
  package static let invalidTag = manifestError(
    "invalid-tag", summary: "a string that is not a valid tag",
    explanation:
      "A tag becomes part of a pack's name and of URLs. So it must not be empty or only white space, and "
      + "must not contain a slash or a control character.")
  package static let invalidPath = manifestError(
    "invalid-path", summary: "a string that is not a valid path or glob",
    explanation: "Paths are relative to the root, use forward slashes, and are never empty.")
  package static let pathEscapesRoot = manifestError(
    "path-escapes-root", summary: "a path leads out of its folder",
    explanation:
      "packtool packs only files below the root, and a destination must be inside the pack. So a path with "
      + "\"..\" must not lead out of the root or the pack. Choose another root, or move the file.")
  package static let noMatch = manifestError(
    "no-match", summary: "a rule that matches no file",
    explanation:
      "Probably the path is misspelled, a file was moved, or all files of the rule are excluded. Correct the "
      + "path, or remove the rule.")
  package static let duplicateRule = manifestError(
    "duplicate-rule", summary: "two rules have the same path or glob",
    explanation:
      "Probably one of the rules should have another path. If not, give all tags to one rule and remove the "
      + "other rule.")
  package static let twoDestinations = manifestError(
    "two-destinations", summary: "two rules give one file two different destinations",
    explanation:
      "A file has only one path in its pack. Give both rules the same destination, or change them so that "
      + "only one of them matches the file."
  )
  package static let unknownTag = manifestError(
    "unknown-tag", summary: "a tag that no rule assigns, or that \"tags\" does not list",
    explanation:
      "The store would deliver nothing for a tag that no rule assigns; such a tag is probably misspelled. If "
      + "the manifest has a list \"tags\", rules can use only the tags in it: correct the tag, or add it to "
      + "the list.")
  package static let repeatedTag = warning(
    "repeated-tag", summary: "a list contains the same tag twice",
    explanation: "packtool uses the first entry and ignores the second. Remove the second entry.")
  package static let tagInBothLists = warning(
    "tag-in-both-lists", summary: "a tag is in both the initial install and the prefetch order",
    explanation:
      "The initial install takes precedence, because its packs are downloaded before the prefetch begins. "
      + "Remove the tag from the prefetch order.")
  package static let unusedAccept = warning(
    "unused-accept", summary: "an entry of \"accept\" that accepts no finding",
    explanation:
      "The problem that the entry accepts was fixed, or the path of the entry no longer matches. The entry "
      + "could silently accept a different finding in the future. Correct the path, or remove the entry.")
  package static let otherStyle = error(
    "other-style", summary: "a manifest is not in packtool's style",
    explanation:
      "Only `packtool fmt --check` and `packtool fmt --diff` report this. With one style, a diff of the "
      + "manifest shows only intended changes, and not differences between editors. Run `packtool fmt`.")
  package static let tagInTwoForms = warning(
    "tag-in-two-forms", summary: "a tag is written in two Unicode forms",
    explanation:
      "Unicode can encode a letter with an accent as one character or as two. Both look the same, but their "
      + "bytes differ. packtool treats both as one tag, as Swift does, but it makes the identifier of the "
      + "pack from the bytes of the first. Write the tag in the same form everywhere."
  )
}
