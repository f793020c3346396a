import CMicroHTTP
import Glibc
import System

/// A body that is sent piece by piece: at the pace of a slow link, through TLS, or up to where it is cut.
final class BodyStream {
  private let file: ServedFile
  private let range: Range<Int64>
  private let cut: Int64?
  private let connection: OpaquePointer
  private let exchange: Exchange
  /// The piece that is on its way over the link.
  private var piece: (count: Int, arrival: Double)?
  /// When the stream had bytes to send.
  private var ready: Double

  /// The most bytes that are read at once: what TLS sends at once, and what each connection has memory for.
  static let longestPiece = 1 << 14

  init(
    _ file: ServedFile, _ range: Range<Int64>, cut: Int64?, on connection: OpaquePointer,
    for exchange: Exchange
  ) {
    self.file = file
    self.range = range
    self.cut = cut
    self.connection = connection
    self.exchange = exchange
    ready = exchange.ready
  }

  /// Fills a space with what comes next; 0 where the connection rests until then.
  func fill(_ space: UnsafeMutableRawBufferPointer, at position: Int64) -> Int {
    var room = min(Int64(space.count), Int64(range.count) - position)
    if let cut { room = min(room, cut - position) }
    if room <= 0 { return MHD_CONTENT_READER_END_WITH_ERROR }
    if let link = exchange.service.link {
      let now = ThisProcess.seconds
      if piece == nil {
        let count = link.piece(of: Int(room))
        piece = (count, link.take(count, ready: ready, now: now))
      }
      if let piece {
        // Waking takes the thread some microseconds.
        if piece.arrival > now + 1e-4 {
          return exchange.service.alarm.rest(connection, until: piece.arrival)
            ? 0 : MHD_CONTENT_READER_END_WITH_ERROR
        }
        room = min(room, Int64(piece.count))
        ready = piece.arrival
      }
    }
    let count = retrying {
      pread(file.descriptor, space.baseAddress, Int(room), off_t(range.lowerBound + position))
    }
    // A file that ends early was truncated in place.
    if count <= 0 { return MHD_CONTENT_READER_END_WITH_ERROR }
    exchange.sent += Int64(count)
    if let piece { self.piece = count < piece.count ? (piece.count - count, piece.arrival) : nil }
    return count
  }
}
