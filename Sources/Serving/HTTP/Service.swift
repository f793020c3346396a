import CMicroHTTP
import Synchronization
import System

/// The state that all exchanges of a server share.
final class Service: Sendable {
  let release: LiveRelease
  let responder: Responder
  let network: LinkShaper?
  let log: RequestLog?
  /// Whether bodies are sent in pieces.
  ///
  /// This is necessary if the kernel cannot copy bodies from files to connections, or if it does not report
  /// how many bytes have arrived.
  let streams: Bool
  let timer = ConnectionTimer()
  /// The memory for copies of files.
  let memory = CopyMemory()
  /// The number of open gauges.
  let listeners = Monitor(0)
  private let requests = Atomic(0)

  /// The maximum number of open gauges.
  static let maxListeners = 16

  init(_ release: LiveRelease, settings: PackServer.Settings) {
    self.release = release
    responder = Responder(
      hosts: HostNames(settings.address, and: settings.names), login: settings.login, faults: settings.faults,
      allowedOrigin: settings.allowedOrigin)
    network = settings.network.map { LinkShaper($0, longestSilence: settings.longestSilence) }
    log = settings.log
    streams = network != nil || settings.certificate != nil || !Platform.countsTransfers
  }

  /// Counts a request and returns its number.
  func count() -> Int { requests.add(1, ordering: .relaxed).newValue }
}
