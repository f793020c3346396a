/// A transfer of a pack, or of the app itself, over one of the connections.
struct ActiveTransfer {
  /// The number of the pack; nil for the app itself.
  let pack: Int?
  /// Whether the transfer was started for a request.
  let isForRequest: Bool
  let start: Int64
  /// The number of bytes that were missing when the transfer started.
  let bytes: Int64
  /// The time at which the first byte arrives; nil if the time cannot be represented.
  let firstByte: Int64?
  var isFlowing = false
  /// The amount that is still left to transfer, in fractions of a byte.
  ///
  /// At a rate of one bit per second, one fraction is transferred in a microsecond.
  var rest: UInt128

  /// The number of fractions in a byte: 8 bits, times the number of microseconds in a second.
  static let parts: UInt128 = 8_000_000

  init(_ pack: Int?, isForRequest: Bool, start: Int64, bytes: Int64, latency: Int64) {
    self.pack = pack
    self.isForRequest = isForRequest
    self.start = start
    self.bytes = bytes
    let (time, overflows) = start.addingReportingOverflow(latency)
    firstByte = overflows ? nil : time
    rest = UInt128(bytes) * Self.parts
  }
}
