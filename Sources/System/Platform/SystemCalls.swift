#if canImport(Darwin)
  package import Darwin
#else
  package import Glibc
#endif

// Second names for calls of the C library. Types that have a method of the same name need them: inside such a
// type, `read` means the method. Each call returns -1, with `errno` set, if it fails.

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
