import Synchronization
import System

/// What all exchanges of a server share.
final class Service: Sendable {
  let release: LiveRelease
  let responder: Responder
  let link: LinkShaper?
  let log: RequestLog?
  /// Whether bodies are sent piece by piece, since the kernel cannot copy them from files by itself.
  let streams: Bool
  let alarm = Alarm()
  /// Where copies of files are.
  let memory = CopyMemory()
  /// How many gauges are open.
  let listeners = Monitor(0)
  private let requests = Atomic(0)

  /// The most gauges that may be open.
  static let mostListeners = 16

  init(_ release: LiveRelease, _ responder: Responder, link: LinkShaper?, log: RequestLog?, isSecure: Bool) {
    self.release = release
    self.responder = responder
    self.link = link
    self.log = log
    streams = link != nil || isSecure
  }

  /// The number of a new request.
  func count() -> Int { requests.add(1, ordering: .relaxed).newValue }
}
