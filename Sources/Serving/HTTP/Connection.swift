import CMicroHTTP

// What the library knows of a connection and its request.
extension Request {
  /// Takes what counts of the headers.
  mutating func take(headersOf connection: OpaquePointer) {
    withUnsafeMutablePointer(to: &self) { request in
      _ = MHD_get_connection_values_n(
        connection, .HEADER_KIND,
        { request, _, name, nameSize, value, valueSize in
          request!.assumingMemoryBound(to: Request.self).pointee.take(
            UnsafeRawBufferPointer(start: name, count: nameSize),
            UnsafeRawBufferPointer(start: value, count: valueSize))
          return .YES
        }, request)
    }
  }

  private mutating func take(_ name: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer) {
    // Most headers are none of these, so that their names are not copied.
    func isNamed(_ other: StaticString) -> Bool {
      name.count == other.utf8CodeUnitCount
        && name.indices.allSatisfy { name[$0] | 0x20 == other.utf8Start[$0] | 0x20 }
    }
    func text() -> String { String(decoding: value, as: UTF8.self) }
    if name.contains(where: { $0 <= 0x20 || $0 >= 0x7f }) || value.contains(0) { isMalformed = true }
    if isNamed("Host") {
      hosts.append(text())
    } else if isNamed("Range") {
      ranges.append(text())
    } else if isNamed("If-Range") {
      // Two conditions cannot both hold.
      ifRange = ifRange == nil ? text() : ""
    } else if isNamed("Accept-Encoding") {
      acceptedCodings.append(text())
    } else if isNamed("If-None-Match") {
      ifNoneMatch.append(text())
    } else if isNamed("Authorization") {
      // Two logins are none.
      credentials = authorizations == 0 ? Credentials(authorization: text()) : nil
      authorizations += 1
    } else if isNamed("Origin") {
      origin = origin == nil ? text() : ""
    } else if isNamed("Sec-Fetch-Site") {
      fetchSite = text()
    } else if isNamed("Transfer-Encoding") {
      hasBody = true
    } else if isNamed("Content-Length") {
      if text() != "0" { hasBody = true }
    }
  }
}
