import CMicroHTTP
import Formats
import System

/// What a debug gauge listens to: what was fetched, whenever that has changed.
final class EventStream {
  private let connection: OpaquePointer
  private let service: Service
  /// What is left of the last message.
  private var rest: ArraySlice<UInt8> = []
  /// What the last message said.
  private var told: GaugeFigures?
  private var lastTold = 0.0

  /// The most bytes that are sent at once.
  static let longestPiece = 4096
  /// How often it looks for news, in seconds.
  private static let pause = 0.25
  /// After how long without news something is sent, by which a closed connection is noticed.
  private static let silence = 15.0

  init(on connection: OpaquePointer, of service: Service) {
    self.connection = connection
    self.service = service
    service.listeners.change { $0 += 1 }
  }

  deinit { service.listeners.change { $0 -= 1 } }

  /// Fills a space with what comes next; 0 where the connection rests until then.
  func fill(_ space: UnsafeMutableRawBufferPointer) -> Int {
    // A page that was closed or loaded anew gives its place back at once.
    if TransferCount(of: connection).isOver { return MHD_CONTENT_READER_END_WITH_ERROR }
    if rest.isEmpty { prepare() }
    if rest.isEmpty {
      let isResting = service.alarm.rest(connection, until: ThisProcess.seconds + Self.pause)
      return isResting ? 0 : MHD_CONTENT_READER_END_WITH_ERROR
    }
    let part = rest.prefix(space.count)
    space.copyBytes(from: part)
    rest = rest.dropFirst(part.count)
    return part.count
  }

  private func prepare() {
    let now = ThisProcess.seconds
    let figures = GaugeFigures(service.release.table)
    if figures != told {
      rest = Array("data: ".utf8)[...] + figures.json.line.array() + Array("\n\n".utf8)
      told = figures
    } else if now - lastTold > Self.silence {
      rest = Array(":\n\n".utf8)[...]
    } else {
      return
    }
    lastTold = now
  }
}
