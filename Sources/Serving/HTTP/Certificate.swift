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
  /// The versions of TLS that GnuTLS may agree on: none before 1.2, which are deprecated by RFC 8996.
  let priorities = UnsafeMutableRawPointer(
    ThisProcess.allocated(strdup("NORMAL:-VERS-TLS1.0:-VERS-TLS1.1:-VERS-DTLS-ALL")))

  init(_ text: CertificateText) {
    chain = UnsafeMutableRawPointer(ThisProcess.allocated(strdup(text.chain)))
    key = UnsafeMutableRawPointer(ThisProcess.allocated(strdup(text.key)))
  }

  deinit {
    free(chain)
    free(key)
    free(priorities)
  }
}
