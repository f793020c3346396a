import Findings
import Formats
import Spelling

/// Keys that an object does not take.
extension ShapeChecker {
  /// Reports an unknown key and returns the one that was probably intended.
  @discardableResult
  mutating func reportUnknownKey(
    _ member: JSONMember, of members: some Sequence<JSONMember>, among names: [String],
    _ taken: inout TakenKeys,
    orElse hint: String? = nil
  ) -> String? {
    let isGuessed = guesses < Self.mostGuesses
    let near = isGuessed ? NearName(to: member.key, in: names + ["$comment"]) : nil
    let only = isGuessed && near == nil ? onlyName(beginningAs: member.key, in: names) : nil
    let guess = near?.name ?? only
    guesses += 1
    if let guess { meantKeys.insert(guess) }
    let sure = (near?.sureName ?? only).flatMap { taken.insert($0, of: members) ? $0 : nil }
    let text = text
    findings.add(
      .unknownKey, at: text.place(at: member.keyOffset),
      making: {
        let hint = guess == nil ? "; \(hint ?? "expected one of \(listed(names))")" : suggestion(guess)
        return Diagnostic(
          .unknownKey, "the key \(quoted(member.key)) is unknown\(hint)",
          at: text.place(at: member.keyOffset),
          fix: sure.flatMap { text.replacing(stringAt: member.keyOffset, by: $0) })
      })
    return guess
  }
}

/// The keys that an object has, read once a misspelt one is to be mended.
struct TakenKeys {
  private var keys: Set<String>?

  /// Takes a key; false if the object has it, or will have it.
  mutating func insert(_ key: String, of members: some Sequence<JSONMember>) -> Bool {
    var known = keys.take() ?? Set(members.map(\.key))
    let isFree = known.insert(key).inserted
    keys = known
    return isFree
  }
}
