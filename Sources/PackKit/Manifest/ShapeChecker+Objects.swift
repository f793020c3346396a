import Findings
import Formats
import Spelling

/// Objects by their keys.
extension ShapeChecker {
  /// Checks the members of an object against the keys that it may have.
  mutating func check(
    _ members: JSONMembers, among keys: [String], listedBy command: String, _ element: Shape
  ) {
    var taken = TakenKeys()
    for member in members where member.key != "$comment" {
      if !keys.contains(member.key) {
        reportUnknownKey(
          member, of: members, among: keys, &taken, orElse: "\(quoted(command)) lists them all")
      }
      check(member.value, element, key: member.key)
    }
  }

  mutating func check(
    _ members: some Sequence<JSONMember>, _ object: ObjectShape, at offset: Int
  ) {
    var present: Set<String> = []
    var taken = TakenKeys()
    for member in members where member.key != "$comment" {
      guard let key = object.keys.first(where: { $0.name == member.key }) else {
        // A misspelt key is not also reported as missing.
        if let guess = reportUnknownKey(member, of: members, among: object.keys.map(\.name), &taken) {
          present.insert(guess)
        }
        continue
      }
      present.insert(key.name)
      check(member.value, key.shape, key: member.key)
    }
    for key in object.keys where key.isRequired && !present.contains(key.name) {
      if let other = key.unless, present.contains(other) { continue }
      report(.missingKey, "the key \(quoted(key.name)) is missing", at: offset)
    }
    if object.oneOf.isEmpty { return }
    let chosen = members.filter { object.oneOf.contains($0.key) }
    if !object.oneOf.contains(where: present.contains) {
      report(.missingKey, "one of the keys \(listed(object.oneOf)) is missing", at: offset)
    } else if let second = chosen.first(where: { $0.key != chosen[0].key }) {
      reject(
        second.keyOffset, .invalidValue,
        "\(quoted(second.key)) and \(quoted(chosen[0].key)) exclude each other; keep one of them")
    }
  }

  /// Checks the members of an object against the kind that its first key tells.
  mutating func check(_ members: JSONMembers, _ variants: ObjectVariants, at offset: Int) {
    let shapes = variants.shapes()
    let names = shapes.map { $0.keys[0].name }
    let present = Set(members.map(\.key))
    guard let shape = shapes.first(where: { present.contains($0.keys[0].name) }) else {
      let strangers = members.filter { $0.key != "$comment" }
      var taken = TakenKeys()
      for member in strangers { reportUnknownKey(member, of: members, among: names, &taken) }
      if strangers.isEmpty {
        report(.missingKey, "a \(variants.name) needs one of the keys \(listed(names))", at: offset)
      }
      return
    }
    let own = shape.keys.map(\.name)
    for member in members where names.contains(member.key) && !own.contains(member.key) {
      reject(
        member.keyOffset, .invalidValue,
        "\(quoted(member.key)) and \(quoted(own[0])) exclude each other; make two \(variants.name)s of them")
    }
    check(members.filter { own.contains($0.key) || !names.contains($0.key) }, shape, at: offset)
  }
}

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
