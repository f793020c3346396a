import Glibc
import System

/// A certificate chain and its key, in PEM.
package struct CertificateText: Sendable {
  package let chain: String
  package let key: String

  package init(chain: String, key: String) {
    self.chain = chain
    self.key = key
  }
}

/// The same where the library reads it.
final class CertificateMemory {
  let chain: UnsafeMutableRawPointer
  let key: UnsafeMutableRawPointer

  init(_ text: CertificateText) {
    chain = UnsafeMutableRawPointer(ThisProcess.allocated(strdup(text.chain)))
    key = UnsafeMutableRawPointer(ThisProcess.allocated(strdup(text.key)))
  }

  deinit {
    free(chain)
    free(key)
  }
}
