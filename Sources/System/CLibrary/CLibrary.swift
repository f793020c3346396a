// The C library of the system under one name, for the targets that make its calls.
#if canImport(Darwin)
  @_exported import Darwin
#else
  @_exported import Glibc
#endif
