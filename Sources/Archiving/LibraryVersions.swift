import CArchive
import CDeflate
import CZlib
import CZstandard

/// The versions of the libraries that determine the bytes of a pack.
package var libraryVersions: [(name: String, version: String)] {
  let archive = String(cString: archive_version_string())
  return [
    ("libarchive", String(archive.drop { !$0.isNumber })),
    ("zlib", zlibVersion().map { String(cString: $0) } ?? ""),
    ("zstd", ZSTD_versionString().map { String(cString: $0) } ?? ""),
    ("libdeflate", LIBDEFLATE_VERSION_STRING),
  ]
}
