import Findings
import Formats
import Spelling

/// Texts: of a form, of a list of names, sizes and parts.
extension ShapeChecker {
  mutating func check(_ string: String, _ form: TextForm, at offset: Int) {
    guard let mistake = mistake(in: string, form) else { return }
    reject(offset, mistake.check, mistake.message, meant: form.mended(string))
  }

  private mutating func mistake(in string: String, _ form: TextForm) -> (check: Check, message: String)? {
    guard case .glob = form else { return form.mistake(in: string) }
    do throws(Glob.Mistake) {
      return try globRoom.mistake(in: string)
    } catch {
      return (error.check, error.message(for: string))
    }
  }

  mutating func check(_ string: String, isOneOf words: [String], at offset: Int) {
    if words.contains(string) { return }
    let guess = NearName(to: string, in: words)
    let hint = guess == nil ? "; expected one of \(listed(words))" : suggestion(guess?.name)
    reject(offset, .invalidValue, "\(quoted(string)) is unknown\(hint)", meant: guess?.sureName)
  }

  mutating func check(_ string: String, isIn list: NameList, at offset: Int) {
    if list.names.contains(string) { return }
    if let refusal = list.refusal(string) { return reject(offset, .invalidValue, refusal) }
    let guess = NearName(to: string, in: list.names)
    let hint = guess == nil ? "; \(quoted(list.listedBy)) lists them all" : suggestion(guess?.name)
    reject(offset, .invalidValue, "\(quoted(string)) is unknown\(hint)", meant: guess?.sureName)
  }

  mutating func checkSize(_ string: String, at offset: Int) {
    if ByteSize.bytes(in: string) != nil { return }
    reject(
      offset, .invalidValue,
      "\(quoted(string)) is no size; expected a number of bytes or a text such as \"64 MB\" or \"1.5 GiB\"")
  }

  mutating func checkPercentage(_ string: String, at offset: Int) {
    if Percentage(string) != nil { return }
    let message = "\(quoted(string)) is no part; expected a text such as \"5 %\" or \"2.5 %\""
    reject(offset, .invalidValue, message)
  }
}
