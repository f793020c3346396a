import Findings
import System

/// Checks whether a text has exactly the bytes that packtool writes for its values.
///
/// Compared piece by piece, since a second text in memory could have many times its size.
package struct JSONForm {
  private let bytes: [UInt8]
  private var position = 0
  private var buffer = ByteBuffer()

  /// The offset of the first different byte.
  private struct Difference: Error {
    let offset: Int
  }

  /// The offset of the first byte that packtool would write differently; nil if there is none.
  package static func firstOddByte(of value: JSONValue) -> Int? {
    var form = JSONForm(bytes: value.tree.text.bytes)
    do throws(Difference) {
      try form.pass(value, indentation: 0)
      try form.pass("\n")
      return form.position == form.bytes.count ? nil : form.position
    } catch {
      return error.offset
    }
  }

  private mutating func pass(_ value: JSONValue, indentation: Int) throws(Difference) {
    switch value.content {
    case .array(let elements):
      try passItems(elements, "[", "]", indentation) { form, element throws(Difference) in
        try form.pass(element, indentation: indentation + 1)
      }
    case .object(let members):
      try passItems(sorted(members), "{", "}", indentation) { form, member throws(Difference) in
        form.buffer.append(json: member.key)
        try form.passBuffer()
        try form.pass(": ")
        try form.pass(member.value, indentation: indentation + 1)
      }
    default:
      JSONText(value).append(to: &buffer, indentation: indentation)
      try passBuffer()
    }
  }

  private mutating func passItems<Item>(
    _ items: some Sequence<Item>, _ open: String, _ close: String, _ indentation: Int,
    _ pass: (inout JSONForm, Item) throws(Difference) -> Void
  ) throws(Difference) {
    try self.pass(open)
    var isEmpty = true
    for item in items {
      try self.pass(isEmpty ? "\n" : ",\n")
      for _ in 0...indentation { try self.pass("  ") }
      try pass(&self, item)
      isEmpty = false
    }
    if !isEmpty {
      try self.pass("\n")
      for _ in 0..<indentation { try self.pass("  ") }
    }
    try self.pass(close)
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

  private mutating func pass(_ text: String) throws(Difference) {
    buffer.append(text)
    try passBuffer()
  }

  /// Compares the buffered output with the text, and clears it.
  private mutating func passBuffer() throws(Difference) {
    let written = buffer.array()
    buffer.clear()
    for byte in written {
      guard position < bytes.count, bytes[position] == byte else { throw Difference(offset: position) }
      position += 1
    }
  }
}
