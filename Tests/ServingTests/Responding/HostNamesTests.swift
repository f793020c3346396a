import Support
import Testing

@testable import Serving

@Suite struct HostNamesTests {
  private let local = HostNames(.loopback, and: ["Build.local"])

  @Test(arguments: [
    "127.0.0.1", "127.0.0.1:8080", "localhost", "LOCALHOST:1", "build.local", "build.local:80", "[::1]:80",
    "127.0.0.2",
  ])
  func `own names`(header: String) { #expect(local.accept(header)) }

  @Test(arguments: [
    "", ":80", "evil.com", "evil.com:80", "localhost.evil.com", "127.0.0.1.evil.com", "10.0.0.1",
    "localhost:8x",
    "localhost:123456", "[::1", "::1", "localhost@evil.com", "local host", "127.1", "0x7f.1", "[127.0.0.1]",
  ])
  func `other names`(header: String) { #expect(!local.accept(header)) }

  /// A server that listens on all addresses accepts each of its addresses as the host, but no other names.
  @Test func `any address`() throws {
    let names = HostNames(try #require(IPAddress("0.0.0.0")))
    #expect(names.accept("192.168.1.7:80") && names.accept("[fe80::1]") && names.accept("localhost"))
    #expect(!names.accept("evil.com"))
  }

  /// The server shows the addresses that a phone can open.
  ///
  /// They include neither the loopback address nor the address for all interfaces.
  @Test(arguments: ["0.0.0.0", "::"]) func `addresses of the machine`(any: String) throws {
    let address = try #require(IPAddress(any))
    #expect(
      address.ofMachine.allSatisfy { !$0.isLoopback && !$0.isAny && $0.isIPv6 == address.isIPv6 })
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
