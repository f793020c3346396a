import Model
import Pipeline
import Play
import Support
import System
import Testing

@testable import Serving

/// Tests the server over slow networks, and the ends of connections.
@Suite(.serialized, .noHang) struct NetworkTests {
  private func settings(_ network: NetworkProfile) -> PackServer.Settings {
    var settings = PackServer.Settings()
    settings.network = network
    return settings
  }

  private func request(_ path: String, _ headers: String...) -> [UInt8] {
    let lines = ["GET /\(path) HTTP/1.1", "Host: localhost"] + headers
    return Array((lines.joined(separator: "\r\n") + "\r\n\r\n").utf8)
  }

  /// A site over a network with 51,200 bytes per second, and the path of a file with 5000 bytes.
  ///
  /// The server sends this file in pieces of 256 bytes.
  private func slowSite() throws -> (site: ServedSite, path: String) {
    let site = try ServedSite(
      .folder, settings(NetworkProfile(bitsPerSecond: 409_600, latencyMicroseconds: 0)))
    return (site, try #require(site.release.table.paths.first { $0.hasSuffix("1.bin") }))
  }

  /// A network never delivers a byte early.
  ///
  /// A busy machine only adds time.
  @Test func `a body takes the time of its bytes`() throws {
    let (site, path) = try slowSite()
    let begun = ThisProcess.seconds
    #expect(try site.get(ServedSite.encoded(path)).body == site.published(path))
    #expect(ThisProcess.seconds - begun >= 5000 / 51_200)
    #expect(
      try site.get(ServedSite.encoded(path), "Range: bytes=4999-").body == site.published(path).suffix(1))
  }

  @Test func `each request waits for the latency, and a new connection for the name`() throws {
    let network = NetworkProfile(
      bitsPerSecond: 1_000_000_000, latencyMicroseconds: 100_000, lookupMicroseconds: 200_000)
    let site = try ServedSite(.zip, settings(network))
    let client = try TCPClient(site.port)
    for least in [0.3, 0.1] {
      let begun = ThisProcess.seconds
      client.write(Array("HEAD /index.json HTTP/1.1\r\nHost: localhost\r\n\r\n".utf8))
      #expect(Answer(client.read(4096))?.status == 200)
      #expect(ThisProcess.seconds - begun >= least)
    }
  }

  /// The server must not take bytes of the next request for the end of the connection.
  @Test func `a client can send its next request early`() throws {
    let (site, path) = try slowSite()
    let bytes = try site.published(path)
    let client = try TCPClient(site.port)
    client.write(request(ServedSite.encoded(path)))
    var received = client.read(300)
    client.write(request(ServedSite.encoded(path), "Connection: close"))
    received += client.readAll()
    let first = try #require(Answer(received))
    #expect(first.status == 200 && Array(first.body.prefix(5000)) == bytes)
    let second = try #require(Answer(Array(first.body.dropFirst(5000))))
    #expect(second.status == 200 && second.body == bytes)
  }

  @Test func `a client that has ended its own direction gets the rest`() throws {
    let (site, path) = try slowSite()
    let client = try TCPClient(site.port)
    client.write(request(ServedSite.encoded(path), "Connection: close"))
    let start = client.read(300)
    client.endWriting()
    let answer = try #require(Answer(start + client.readAll()))
    #expect(try answer.status == 200 && answer.body == site.published(path))
  }

  /// When the server stops, it closes the connections of all requests that wait.
  @Test func `a network that loses everything never answers`() throws {
    let site = try ServedSite(.zip, settings(.silent))
    let clients = try (0..<20).map { _ in try OpenClient(site.port) }
    for each in clients { each.client.write(request("index.json")) }
    #expect(clients[0].client.next(seconds: 0.3) == .silence)
    for each in clients { #expect(each.client.next(seconds: 0.001) == .silence) }
    site.stop()
    for each in clients { #expect(each.client.next(seconds: 60) == .closed) }
  }

  @Test func `a request that is never answered ends after a while`() throws {
    var settings = settings(.silent)
    settings.longestSilence = 0.05
    let site = try ServedSite(.zip, settings)
    let client = try TCPClient(site.port)
    let begun = ThisProcess.seconds
    client.write(request("index.json"))
    #expect(client.next(seconds: 60) == .closed)
    #expect(ThisProcess.seconds - begun >= 0.05)
  }

  /// Nothing would resume such a connection.
  @Test func `a server that stops suspends no connection`() throws {
    let site = try ServedSite(.zip, settings(.silent))
    site.server.service.timer.end()
    let client = try TCPClient(site.port)
    client.write(request("index.json"))
    #expect(client.next(seconds: 60) == .closed)
  }

  /// Another program might get the port as soon as it is free, so try several ports.
  @Test func `a server that has stopped takes no connection`() throws {
    let built = try BuiltSite()
    let table = try #require(try BuiltTable(built.path).table)
    let isRefused = try (0..<5).contains { _ in
      let release = LiveRelease(built.path, table: table, indexPath: "\(built.path)/index.json")
      let server = try PackServer(release, settings: PackServer.Settings())
      let port = try #require(UInt16(server.urls[0].split(separator: ":").last?.dropLast() ?? ""))
      _ = try TCPClient(port)
      server.stop()
      return (try? TCPClient(port)) == nil
    }
    #expect(isRefused)
  }
}
