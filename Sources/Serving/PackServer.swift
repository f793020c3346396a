import Findings
import PackKit
package import Simulation
import System

/// A web server for one built folder, on threads of its own.
package final class PackServer {
  /// Where and how it answers.
  package struct Settings: Sendable {
    package var address = IPAddress.loopback
    /// 0 for any free port.
    package var port: UInt16 = 0
    /// Further names by which it is asked.
    package var names: [String] = []
    package var link: NetworkLink?
    package var login: Login?
    package var certificate: CertificateText?
    package var faults: [Fault] = []
    package var allowedOrigin: String?
    package var log: RequestLog?

    package init() {}
  }

  /// The library refused to start.
  package struct Failure: Error, CustomStringConvertible {
    package let description: String
  }

  /// The URL of the folder, with a slash at its end.
  package var url: String { urls[0] }
  /// The URLs by all addresses of the machine at which it answers.
  package let urls: [String]
  private let service: Service
  private let daemon: HTTPDaemon
  private let waker: Threads

  /// Starts answering requests for a release.
  package init(_ release: LiveRelease, _ settings: Settings) throws {
    var responder = Responder(hosts: HostNames(settings.address, and: settings.names))
    responder.login = settings.login
    responder.faults = settings.faults
    responder.allowedOrigin = settings.allowedOrigin
    let isSecure = settings.certificate != nil
    let service = Service(
      release, responder, link: settings.link.map(LinkShaper.init), log: settings.log, isSecure: isSecure)
    let socket = try ListeningSocket(settings.address, port: settings.port)
    let port = socket.port
    let addresses = settings.address.isAny ? settings.address.ofMachine : []
    urls = (addresses.isEmpty ? [settings.address] : addresses).map {
      "\(isSecure ? "https" : "http")://\($0.urlText):\(port)/"
    }
    let isIPv6 = settings.address.isIPv6
    guard let daemon = HTTPDaemon(socket, isIPv6: isIPv6, service, settings.certificate) else {
      let reason = isSecure ? "; are the certificate and the key in PEM, and do they belong together?" : ""
      throw Failure(description: "the server cannot be started\(reason)")
    }
    self.service = service
    self.daemon = daemon
    let alarm = service.alarm
    waker = Threads(0..<1) { _ in alarm.run() }
  }

  /// Ends all connections and gives the port back; to be called once.
  package func stop() {
    service.alarm.end()
    waker.join()
    daemon.stop()
  }
}
