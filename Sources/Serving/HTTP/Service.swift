import CMicroHTTP
import Synchronization
import System

/// The state that all exchanges of a server share.
final class Service: Sendable {
  let release: LiveRelease
  let responder: Responder
  let network: LinkShaper?
  let log: RequestLog?
  /// Whether bodies are sent piece by piece, since the kernel cannot copy them from files by itself, or would not say how
  /// much of them arrived.
  let streams: Bool
  let timer = ConnectionTimer()
  /// Where copies of files are.
  let memory = CopyMemory()
  /// How many gauges are open.
  let listeners = Monitor(0)
  private let requests = Atomic(0)

  /// The most gauges that may be open.
  static let maxListeners = 16

  init(_ release: LiveRelease, settings: PackServer.Settings) {
    self.release = release
    responder = Responder(
      hosts: HostNames(settings.address, and: settings.names), login: settings.login, faults: settings.faults,
      allowedOrigin: settings.allowedOrigin)
    network = settings.network.map(LinkShaper.init)
    log = settings.log
    streams = network != nil || settings.certificate != nil || !Platform.countsTransfers
  }

  /// The number of a new request.
  func count() -> Int { requests.add(1, ordering: .relaxed).newValue }
}
