// What Swift's own module Darwin adds to Apple's headers, as its source in the Swift project declares it
// (stdlib/public/Platform): macros and variadic functions that no header gives to Swift.
@_exported import Darwin

public var errno: Int32 {
  get { __error().pointee }
  set { __error().pointee = newValue }
}
public func open(_ path: UnsafePointer<CChar>, _ flags: Int32) -> Int32 { fatalError() }
public func open(_ path: UnsafePointer<CChar>, _ flags: Int32, _ mode: mode_t) -> Int32 { fatalError() }
public func openat(_ folder: Int32, _ path: UnsafePointer<CChar>, _ flags: Int32) -> Int32 { fatalError() }
public func openat(_ folder: Int32, _ path: UnsafePointer<CChar>, _ flags: Int32, _ mode: mode_t) -> Int32 {
  fatalError()
}
public func fcntl(_ file: Int32, _ command: Int32) -> Int32 { fatalError() }
public func fcntl(_ file: Int32, _ command: Int32, _ value: Int32) -> Int32 { fatalError() }
public func ioctl(_ file: Int32, _ request: UInt, _ value: UnsafeMutableRawPointer) -> Int32 { fatalError() }
public var SIG_DFL: sig_t? { nil }
public var SIG_IGN: sig_t { fatalError() }
public var MAP_FAILED: UnsafeMutableRawPointer! { nil }
public var S_IFMT: mode_t { 0o170000 }
public var S_IFREG: mode_t { 0o100000 }
public var S_IFDIR: mode_t { 0o040000 }
public var S_IFLNK: mode_t { 0o120000 }
public var S_IFIFO: mode_t { 0o010000 }
public var S_IFSOCK: mode_t { 0o140000 }
// Constants whose macros name a constant of an enum, or a size: Swift for Apple's systems reads them.
public var CLOCK_REALTIME: clockid_t { _CLOCK_REALTIME }
public var CLOCK_MONOTONIC: clockid_t { _CLOCK_MONOTONIC }
public var CLOCK_PROCESS_CPUTIME_ID: clockid_t { _CLOCK_PROCESS_CPUTIME_ID }
public var CLOCK_THREAD_CPUTIME_ID: clockid_t { _CLOCK_THREAD_CPUTIME_ID }
public var TIOCGWINSZ: UInt { 0x4008_7468 }
