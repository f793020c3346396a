import Foundation
import Support
import Testing

@testable import Serving

@Suite struct HostNamesTests {
  private let local = HostNames(.loopback, and: ["Build.local"])

  @Test(arguments: [
    "127.0.0.1", "127.0.0.1:8080", "localhost", "LOCALHOST:1", "build.local", "build.local:80", "[::1]:80",
    "127.0.0.2", "localhost:65535", "localhost:", "[::1]", "[::1]:", "[0:0:0:0:0:0:0:1]:65535",
  ])
  func `own names`(header: String) { #expect(local.accept(header)) }

  @Test(arguments: [
    "", ":80", "evil.com", "evil.com:80", "localhost.evil.com", "127.0.0.1.evil.com", "10.0.0.1",
    "localhost:8x",
    "localhost:123456", "[::1]:123456", "[::1]8", "[::1]:x", "[localhost]", "[]", "localhost 80", "[::1",
    "::1", "localhost@evil.com", "local host", "127.1", "0x7f.1", "[127.0.0.1]",
  ])
  func `other names`(header: String) { #expect(!local.accept(header)) }

  /// A server that listens on all addresses accepts each of its addresses as the host, but no other names.
  @Test func `any address`() throws {
    let names = HostNames(try #require(IPAddress("0.0.0.0")))
    #expect(names.accept("192.168.1.7:80") && names.accept("[fe80::1]") && names.accept("localhost"))
    #expect(!names.accept("evil.com"))
  }

  /// An address can be written in several ways.
  @Test func `an address that is not local`() throws {
    let names = HostNames(try #require(IPAddress("192.0.2.1")), and: ["a.example"])
    for header in ["192.0.2.1", "192.0.2.1:80", "a.example", "A.EXAMPLE:1"] {
      #expect(names.accept(header), "\(header)")
    }
    for header in ["localhost", "127.0.0.1", "192.0.2.2", "[::1]", "0.0.0.0", "example"] {
      #expect(!names.accept(header), "\(header)")
    }
    let six = HostNames(try #require(IPAddress("2001:db8::1")))
    #expect(six.accept("[2001:db8::1]:80") && six.accept("[2001:DB8:0::1]"))
    #expect(!six.accept("[2001:db8::2]") && !six.accept("[::1]") && !six.accept("localhost"))
  }

  @Test(
    arguments: [
      ("LocalHost:80", "localhost"), ("a.b", "a.b"), ("[FE80::1]:1", "fe80::1"), ("", nil), (":1", nil),
      ("a:b", nil), ("[::1", nil), ("[a]", nil), ("a:12345", "a"), ("a:123456", nil), ("a:1:2", nil),
    ] as [(String, String?)])
  func `the host of a header`(header: String, host: String?) { #expect(HostNames.host(of: header) == host) }

  /// The server shows the addresses that a phone can open.
  ///
  /// They include neither the loopback address nor the address for all interfaces.
  @Test(arguments: ["0.0.0.0", "::"]) func `addresses of the machine`(any: String) throws {
    let address = try #require(IPAddress(any))
    #expect(
      address.ofMachine.allSatisfy { !$0.isLoopback && !$0.isAny && $0.isIPv6 == address.isIPv6 })
    #expect(address.ofMachine.map(\.text).sorted() == Self.addresses(isIPv6: address.isIPv6).sorted())
  }

  /// Returns the addresses of the network interfaces, as the C library writes them.
  private static func addresses(isIPv6: Bool) -> [String] {
    var list: UnsafeMutablePointer<ifaddrs>?
    guard getifaddrs(&list) == 0 else { return [] }
    defer { freeifaddrs(list) }
    var found: [String] = []
    for entry in sequence(first: list, next: { $0?.pointee.ifa_next }) {
      guard let name = entry?.pointee.ifa_addr, name.pointee.sa_family == (isIPv6 ? AF_INET6 : AF_INET) else {
        continue
      }
      var text = [CChar](repeating: 0, count: 100)
      let size = isIPv6 ? MemoryLayout<sockaddr_in6>.size : MemoryLayout<sockaddr_in>.size
      getnameinfo(name, socklen_t(size), &text, 100, nil, 0, NI_NUMERICHOST)
      found.append(String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self))
    }
    return found.filter { !$0.hasPrefix("127.") && $0 != "::1" && !$0.hasPrefix("fe80:") }
  }

  @Test func `addresses have the bytes of their version`() throws {
    #expect(IPAddress.loopback.bytes == [127, 0, 0, 1] && IPAddress("127.0.0.1") == .loopback)
    #expect(IPAddress("1.2.3.4")?.bytes == [1, 2, 3, 4] && IPAddress("1.2.3.4")?.isIPv6 == false)
    let six = try #require(IPAddress("2001:db8::10"))
    #expect(six.bytes == [0x20, 1, 0x0d, 0xb8] + Array(repeating: 0, count: 11) + [0x10] && six.isIPv6)
    #expect(six.urlText == "[2001:db8::10]" && IPAddress.loopback.urlText == "127.0.0.1")
    for (text, isLoopback, isAny) in [
      ("127.255.0.9", true, false), ("128.0.0.1", false, false), ("::1", true, false), ("::2", false, false),
      ("1::1", false, false), ("0.0.0.0", false, true), ("::", false, true), ("0.0.0.1", false, false),
    ] {
      let address = try #require(IPAddress(text))
      #expect(address.isLoopback == isLoopback && address.isAny == isAny, "\(text)")
    }
  }

  @Test(arguments: [
    ("fe80::1", true), ("febf::1", true), ("fec0::1", false), ("2001:db8::1", false), ("::1", false),
    ("254.128.0.1", false),
  ])
  func `only addresses below fe80 are link-local`(text: String, expected: Bool) throws {
    #expect(try #require(IPAddress(text)).isLinkLocal == expected)
  }

  /// Runs in a separate process, so that no other test uses memory at the same time.
  @Test(.mostlyWaits) func `the list of addresses is given back`() async {
    await #expect(processExitsWith: .success) {
      let address = try #require(IPAddress("0.0.0.0"))
      #expect(givesMemoryBack { for _ in 0..<1000 { _ = address.ofMachine } })
    }
  }

  @Test(arguments: ["127.0.0.1", "::1", "0.0.0.0", "fe80::1"]) func `addresses are read back`(text: String)
    throws
  {
    #expect(try #require(IPAddress(text)).text == text)
  }

  @Test(arguments: ["", "localhost", "1.2.3", "1.2.3.4.5", "1.2.3.4\0", " 1.2.3.4", "[::1]"])
  func `others are no addresses`(text: String) { #expect(IPAddress(text) == nil) }
}
