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
      + "name. If you name neither, it looks in the current folder, then in the folders above it. Name the "
      + "manifest.")
  package static let twoManifests = manifestError(
    "two-manifests", summary: "a folder contains both a Manifest.json and a Manifest.jsonc",
    explanation:
      "packtool would otherwise ignore one of them silently. Remove one, or name the file instead of its "
      + "folder.")
  package static let jsonSyntax = manifestError(
    "json-syntax", summary: "the manifest is not valid JSON",
    explanation:
      "The manifest is strict JSON (RFC 8259) in UTF-8: it has double quotes, no comments, and no comma "
      + "before a closing bracket. Use \"$comment\" keys, which are allowed in every object, or name the "
      + "file *.jsonc, which allows comments and trailing commas.")
  package static let duplicateKey = manifestError(
    "duplicate-key", summary: "an object has the same key twice",
    explanation: "JSON readers disagree on which of the two values counts. Remove one.")
  package static let unknownKey = manifestError(
    "unknown-key", summary: "a key that packtool does not know",
    explanation:
      "packtool would otherwise ignore a misspelt key silently. `packtool schema` lists all keys; "
      + "\"$comment\" is allowed in every object.")
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
    "invalid-tag", summary: "a text that cannot be a tag",
    explanation:
      "A tag is part of a pack's name and of URLs, so it must not be empty or only white space, and must not "
      + "contain a slash or a control character.")
  package static let invalidPath = manifestError(
    "invalid-path", summary: "a text that cannot be a path or glob",
    explanation: "Paths are relative to the root, have forward slashes, and are never empty.")
  package static let pathEscapesRoot = manifestError(
    "path-escapes-root", summary: "a path leads out of its folder",
    explanation:
      "packtool packs only files below the root, and a destination must be inside the pack, so \"..\" must "
      + "not lead out. Choose another root, or move the file.")
  package static let noMatch = manifestError(
    "no-match", summary: "a rule that matches no file",
    explanation:
      "Probably the path is misspelt, a file was moved, or all files of the rule are excluded. Correct the "
      + "path or remove the rule.")
  package static let duplicateRule = manifestError(
    "duplicate-rule", summary: "two rules have the same path or glob",
    explanation: "One of the rules was probably intended for another path. Give all tags to one rule.")
  package static let twoDestinations = manifestError(
    "two-destinations", summary: "two rules put one file in two places",
    explanation:
      "A file has one place in its pack. Give both rules destinations that agree, or let only one of them "
      + "match."
  )
  package static let unknownTag = manifestError(
    "unknown-tag", summary: "a tag that no rule gives, or that \"tags\" does not list",
    explanation:
      "The store would deliver nothing for a tag that no rule gives; it is probably misspelt. If the "
      + "manifest lists all \"tags\", rules can only use these: correct the tag, or add it to the list.")
  package static let repeatedTag = warning(
    "repeated-tag", summary: "a list names a tag twice",
    explanation: "The first place counts. Remove the second.")
  package static let tagInBothLists = warning(
    "tag-in-both-lists", summary: "a tag is both in the initial install and in the prefetch order",
    explanation:
      "The initial install takes precedence, because its packs are downloaded before any prefetch begins. "
      + "Remove the tag from the prefetch order.")
  package static let unusedAccept = warning(
    "unused-accept", summary: "an entry of \"accept\" that accepts no finding",
    explanation:
      "The problem that it accepted was fixed, or its path no longer matches. In both cases it could "
      + "silently accept a future finding. Correct the path, or remove the entry.")
  package static let otherStyle = error(
    "other-style", summary: "a manifest is not in packtool's style",
    explanation:
      "Only `packtool fmt --check` and `--diff` report this. With one style, a diff of the manifest shows "
      + "only intended changes, not the settings of an editor. Run `packtool fmt`.")
  package static let tagInTwoForms = warning(
    "tag-in-two-forms", summary: "a tag is written in two Unicode forms",
    explanation:
      "An accent can be part of its letter or a separate character after it; the text is the same, but its "
      + "bytes differ. packtool treats both as one tag, as Swift does, but makes the pack's identifier from "
      + "the bytes of the first. Write the tag in one form."
  )
}
