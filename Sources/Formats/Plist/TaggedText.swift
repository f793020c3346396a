/// The texts that Apple's runtime keeps in the pointer itself, so that equal ones are one object.
enum TaggedText {
  /// The characters that take six bits; the first half of them takes five.
  private static let table = Array("eilotrm.apdnsIc ufkMShjTRxgC4013bDNvwyUL2O856P-B79AFKEWV_zGJ/HYX".utf8)

  /// Whether a text is short enough: 7 ASCII characters, or up to 9 or 11 of the commonest.
  static func fits(_ text: String) -> Bool {
    let bytes = text.utf8
    switch bytes.count {
    case 0...7: return bytes.allSatisfy { $0 < 0x80 }
    case 8...9: return bytes.allSatisfy(table.contains)
    case 10...11: return bytes.allSatisfy(table.prefix(32).contains)
    default: return false
    }
  }
}
