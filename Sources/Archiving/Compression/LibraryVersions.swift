import CArchive
import CDeflate

/// A library, with the version that packtool uses.
package struct LibraryVersion: Sendable {
  package let name: String
  package let version: String
}

/// The versions of the libraries that determine the bytes of a pack.
package var libraryVersions: [LibraryVersion] {
  let archive = String(cString: archive_version_string())
  return [LibraryVersion(name: "libarchive", version: String(archive.drop { !$0.isNumber }))]
    + TarCompression.allCases.map(\.library)
    + [LibraryVersion(name: "libdeflate", version: LIBDEFLATE_VERSION_STRING)]
}
