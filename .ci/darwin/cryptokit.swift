// What OnDemand uses of Apple's CryptoKit, as its documentation declares it (iOS 13, macOS 10.15, tvOS 13, visionOS 1):
// https://developer.apple.com/documentation/cryptokit/sha256
// https://developer.apple.com/documentation/cryptokit/curve25519/signing/publickey
public import Foundation

public struct SHA256Digest: Sequence, Sendable {
  public func makeIterator() -> AnyIterator<UInt8> { fatalError() }
}

public struct SHA256: Sendable {
  public init() {}
  public mutating func update(bufferPointer: UnsafeRawBufferPointer) { fatalError() }
  public func finalize() -> SHA256Digest { fatalError() }
}

public enum Curve25519 {
  public enum Signing {
    public struct PublicKey: Sendable {
      public init<D: ContiguousBytes>(rawRepresentation: D) throws { fatalError() }
      public func isValidSignature<S: DataProtocol, D: DataProtocol>(_ signature: S, for data: D) -> Bool {
        fatalError()
      }
    }
  }
}
