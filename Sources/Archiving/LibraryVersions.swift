import CArchive
import CDeflate
import CZlib

/// The versions of the libraries that the bytes of a pack depend on.
package var libraryVersions: String {
  let zlib = zlibVersion().map { String(cString: $0) } ?? ""
  let zstd = archive_libzstd_version().map { String(cString: $0) } ?? ""
  return "\(String(cString: archive_version_string())), zlib \(zlib), zstd \(zstd), "
    + "libdeflate \(LIBDEFLATE_VERSION_STRING)"
}
