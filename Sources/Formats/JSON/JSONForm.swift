import Findings
import System

/// Checks whether a text has exactly the bytes that packtool writes for its values.
///
/// Compared piece by piece, since a second text in memory could have many times its size.
package struct JSONForm {
  private let bytes: [UInt8]
  private var position = 0
  /// Whether all bytes up to the position are as packtool writes them; else it is that of the first different one.
  private var isSame = true
  private var buffer = ByteBuffer()

  /// The offset of the first byte that packtool would write differently; nil if there is none.
  package static func firstOddByte(of value: JSONValue) -> Int? {
    var form = JSONForm(bytes: value.tree.text.bytes)
    form.pass(value, indentation: 0)
    form.pass("\n")
    return form.isSame && form.position == form.bytes.count ? nil : form.position
  }

  private mutating func pass(_ value: JSONValue, indentation: Int) {
    switch value.content {
    case .array(let elements):
      passItems(elements, "[", "]", indentation) { form, element in
        form.pass(element, indentation: indentation + 1)
      }
    case .object(let members):
      passItems(sorted(members), "{", "}", indentation) { form, member in
        form.buffer.append(json: member.key)
        form.passBuffer()
        form.pass(": ")
        form.pass(member.value, indentation: indentation + 1)
      }
    default:
      JSONText(value).append(to: &buffer, indentation: indentation)
      passBuffer()
    }
  }

  private mutating func passItems<Item>(
    _ items: some Sequence<Item>, _ open: String, _ close: String, _ indentation: Int,
    _ pass: (inout JSONForm, Item) -> Void
  ) {
    self.pass(open)
    var isEmpty = true
    for item in items {
      if !isSame { return }
      self.pass(isEmpty ? "\n" : ",\n")
      for _ in 0...indentation { self.pass("  ") }
      pass(&self, item)
      isEmpty = false
    }
    if !isEmpty {
      self.pass("\n")
      for _ in 0..<indentation { self.pass("  ") }
    }
    self.pass(close)
  }

  /// Members in byte order of their keys; not copied if they are in this order already.
  private func sorted(_ members: JSONMembers) -> AnySequence<JSONMember> {
    var last: String?
    for member in members {
      if let last, member.key.precedesInBytes(last) {
        return AnySequence(members.sorted { $0.key.precedesInBytes($1.key) })
      }
      last = member.key
    }
    return AnySequence(members)
  }

  private mutating func pass(_ text: String) {
    buffer.append(text)
    passBuffer()
  }

  private mutating func passBuffer() {
    let written = buffer.array()
    buffer.clear()
    for byte in written {
      isSame = isSame && position < bytes.count && bytes[position] == byte
      if !isSame { return }
      position += 1
    }
  }
}
