#if canImport(Darwin)
  package import Darwin
#else
  package import Glibc
#endif

// Other names for functions of the C library. Types that have a method of the same name need them, because
// inside such a type, `read`, for example, means the method. If a call fails, it sets `errno` and returns -1.

package func readSystemCall(_ descriptor: Int32, into buffer: UnsafeMutableRawBufferPointer) -> Int {
  read(descriptor, buffer.baseAddress, buffer.count)
}

package func writeSystemCall(_ bytes: UnsafeRawBufferPointer, to descriptor: Int32) -> Int {
  write(descriptor, bytes.baseAddress, bytes.count)
}

package func bindSystemCall(_ descriptor: Int32, address: UnsafePointer<sockaddr>?, size: Int) -> Int32 {
  bind(descriptor, address, socklen_t(size))
}

#if canImport(Darwin) || Portable
  /// Writes the changed files of all file systems to their disks.
  func syncAllFileSystems() { sync() }
#endif
