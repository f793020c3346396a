import Foundation
import FoundationNetworking
import Support
import Testing

@testable import OnDemand

/// Tests the library's own transport with real connections.
@Suite(.noHang, .mostlyWaits) struct HTTPTests {
  /// The result of a transfer: the statuses and headers of its responses, and the received bytes.
  private struct Transfer {
    var statuses: [Int] = []
    var headers: [String: String] = [:]
    var body = Data()
  }

  /// An error that a test throws while it receives a response.
  private struct Refusal: Error {}

  private func fetch(
    _ url: URL, headers: [String: String] = [:], refusesHead: Bool = false, refusesBody: Bool = false,
    with transport: URLSessionTransport = .shared
  ) async throws -> Transfer {
    let transfer = Locked(Transfer())
    var request = URLRequest(url: url)
    request.allHTTPHeaderFields = headers
    let receiver = ResponseReceiver { answer in
      transfer.withLock { $0.statuses.append(answer.statusCode) }
      transfer.withLock { $0.headers["x-test"] = answer.value(forHTTPHeaderField: "X-Test") }
      if refusesHead { throw Refusal() }
    } onData: { part in
      transfer.withLock { $0.body += part }
      if refusesBody { throw Refusal() }
    }
    try await transport.send(request, to: receiver)
    return transfer.withLock { $0 }
  }

  @Test func `an answer comes whole`() async throws {
    let body = String(decoding: Sample.text(300_000), as: UTF8.self)
    let server = try ScriptedServer { _ in [.answer(206, ["X-Test: 7"], body)] }
    let transfer = try await fetch(server.url("/a%2Bb"), headers: ["Range": "bytes=1-", "X-Own": "x"])
    #expect(transfer.statuses == [206] && transfer.headers["x-test"] == "7")
    #expect(transfer.body == Data(body.utf8))
    let request = try #require(server.requests.first)
    #expect(request.target == "/a%2Bb" && server.requests.count == 1)
    #expect(request.header("Range") == "bytes=1-" && request.header("X-Own") == "x")
  }

  @Test func `statuses are the receiver's to judge`() async throws {
    for status in [200, 204, 401, 404, 407, 416, 500, 503] {
      let server = try ScriptedServer { _ in [.answer(status)] }
      #expect(try await fetch(server.url("/x")).statuses == [status])
      #expect(server.requests.count == 1)
    }
  }

  @Test func `interim answers are passed over`() async throws {
    let interim = "HTTP/1.1 103 Early Hints\r\nX-Test: early\r\n\r\n"
    let server = try ScriptedServer { _ in
      [.send(interim), .send(interim), .answer(200, ["X-Test: late"], "text")]
    }
    let transfer = try await fetch(server.url("/x"))
    #expect(transfer.statuses == [200] && transfer.headers["x-test"] == "late")
    #expect(transfer.body == Data("text".utf8))
  }

  /// The transport does not follow redirects, because the library handles them for all transports.
  @Test func `a redirect is handed over`() async throws {
    let server = try ScriptedServer { _ in [.answer(302, ["Location: /y"])] }
    #expect(try await fetch(server.url("/x")).statuses == [302])
    #expect(server.requests.map(\.target) == ["/x"])
  }

  @Test func `a redirect whose body does not end is given up`() async throws {
    let server = try ScriptedServer { _ in
      let head = "HTTP/1.1 302 x\r\nLocation: /y\r\nContent-Length: 999999999\r\n\r\n"
      return [.send(head), .send(String(repeating: "x", count: 1000)), .waitForEnd]
    }
    // On a busy machine, the request can time out before the transport sees the redirect.
    do {
      _ = try await fetch(server.url("/x"))
      Issue.record("it was followed")
    } catch let error as URLError {
      #expect(error.code == .timedOut)
    } catch let error as OnDemandError {
      #expect(error == .damaged(pack: nil, reason: "its redirect response does not end"))
    }
    #expect(server.requests.map(\.target) == ["/x"])
  }

  /// Runs in a separate process, because the endless bodies occupy the thread of all sessions of a process.
  ///
  /// There are more transfers than threads for Swift's tasks. A timer ends the process if a thread waits for the
  /// session.
  @Test func `an occupied session fails transfers until it reacts again`() async {
    await #expect(processExitsWith: .success) {
      alarm(90)
      let transport = URLSessionTransport(reactionSeconds: 0.3)
      let body = String(repeating: "x", count: 1 << 20)
      let hostile = try ScriptedServer { _ in
        [.send("HTTP/1.1 302 x\r\nLocation: /y\r\n\r\n"), .sendUntilEnd(body)]
      }
      let honest = try ScriptedServer { _ in [.answer(200, [], "text")] }
      let failures = Locked(0)
      await withTaskGroup(of: Void.self) { group in
        for _ in 0..<(4 * ProcessInfo.processInfo.activeProcessorCount) {
          group.addTask {
            // The first transfer occupies the session, so most of the others never start.
            do { _ = try await HTTPTests().fetch(hostile.url("/x"), with: transport) } catch {
              let isGivenUp =
                error as? OnDemandError
                == .damaged(
                  pack: nil, reason: "its redirect response does not end")
              #expect(isGivenUp || (error as? URLError)?.code == .networkConnectionLost)
              failures.withLock { $0 += 1 }
            }
          }
        }
      }
      #expect(failures.withLock { $0 } == 4 * ProcessInfo.processInfo.activeProcessorCount)
      await #expect(throws: URLError(.networkConnectionLost)) {
        try await HTTPTests().fetch(honest.url("/x"), with: transport)
      }
      hostile.disconnect()
      try await waitUntil("the session reacts again") {
        (try? await HTTPTests().fetch(honest.url("/x"), with: transport))?.body == Data("text".utf8)
      }
    }
  }

  @Test func `a server that is not there cannot be reached`() async throws {
    // The server that used this port is gone, so no server listens on the port.
    let port = try ScriptedServer { _ in [] }.port
    let url = try #require(URL(string: "http://127.0.0.1:\(port)/x"))
    do {
      _ = try await fetch(url)
      Issue.record("somebody answered")
    } catch let error as URLError {
      #expect(unreachableCodes.contains(error.code))
    }
  }

  @Test func `a connection that ends early is an error of the network`() async throws {
    let server = try ScriptedServer { request in
      request.target == "/head" ? [] : [.send("HTTP/1.1 200 x\r\nContent-Length: 9\r\n\r\ntext")]
    }
    for path in ["/head", "/body"] {
      await #expect(throws: URLError.self, "\(path)") { try await fetch(server.url(path)) }
    }
  }

  @Test func `a receiver that throws ends its transfer`() async throws {
    let server = try ScriptedServer { _ in
      [.send("HTTP/1.1 200 x\r\nContent-Length: 999\r\n\r\ntext"), .waitForEnd]
    }
    await #expect(throws: Refusal.self) { try await fetch(server.url("/x"), refusesHead: true) }
    await #expect(throws: Refusal.self) { try await fetch(server.url("/x"), refusesBody: true) }
  }

  @Test func `a task that is cancelled ends its transfer`() async throws {
    let server = try ScriptedServer { _ in
      [.send("HTTP/1.1 200 x\r\nContent-Length: 999\r\n\r\ntext"), .waitForEnd]
    }
    let task = Task { try await fetch(server.url("/x")) }
    try await waitUntil("the request is there") { !server.requests.isEmpty }
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
  }

  /// A request must not contain data from an earlier response, for example cookies.
  @Test func `requests know nothing of one another`() async throws {
    let server = try ScriptedServer { _ in
      let headers = ["Set-Cookie: a=b; Path=/", "Cache-Control: max-age=9999", "ETag: \"x\""]
      return [.answer(200, headers, "text")]
    }
    for _ in 0..<2 { #expect(try await fetch(server.url("/x")).body == Data("text".utf8)) }
    #expect(server.requests.count == 2)
    #expect(server.requests.areAll { $0.header("Cookie") == nil && $0.header("If-None-Match") == nil })
  }

  @Test func `many simultaneous transfers do not get mixed up`() async throws {
    let server = try ScriptedServer { request in
      let body = String(repeating: request.target, count: 5_000)
      return [.answer(200, ["X-Test: \(request.target)"], body)]
    }
    try await withThrowingTaskGroup(of: Void.self) { group in
      for number in 0..<20 {
        group.addTask {
          let transfer = try await fetch(server.url("/\(number)"))
          #expect(transfer.headers["x-test"] == "/\(number)")
          #expect(transfer.body == Data(String(repeating: "/\(number)", count: 5_000).utf8))
        }
      }
      try await group.waitForAll()
    }
    #expect(server.requests.count == 20)
  }
}
