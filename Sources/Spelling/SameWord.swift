/// The only name that begins with the first word of another, as `bundleIdentifier` does for `bundleID`; nil if there is
/// none, or more than one.
package func onlyName(beginningAs name: String, in names: [String]) -> String? {
  let word = name.prefix { $0.isLowercase }
  if word.count < 4 { return nil }
  let same = names.filter { other in
    other.hasPrefix(word) && !(other.dropFirst(word.count).first?.isLowercase ?? false)
  }
  return same.count == 1 ? same.first : nil
}
