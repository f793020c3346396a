/// Whether an output folder keeps the files that only the next build uses: the lock and the build cache.
package enum OutputState: Sendable {
  case kept
  /// The files are removed, so that the output folder contains only published files.
  case removed
}
