/// What a command line says about files, for every place in the run that meets one.
///
/// It is bound around a whole run and carried to the threads that the run starts, so a new command, a new flag or a new
/// kind of input cannot forget to pass it on.
package struct RunScope: Sendable {
  /// The scope of the run that the current thread works for.
  @TaskLocal package static var current = RunScope()

  /// A file that a flag or an argument names.
  package struct NamedFile: Sendable, Hashable {
    /// The flag or argument, such as "--report".
    package let name: String
    package let path: String

    package init(name: String, path: String) {
      self.name = name
      self.path = path
    }
  }

  /// The folder below which manifests may have their root; nil for the checkout around the manifest.
  package var root: String?
  /// The files that flags and arguments name as something else than assets.
  package var files: [NamedFile] = []
  /// Whether symlinks among assets and input files may lead anywhere.
  package var followsSymlinks = false

  /// The paths among `files` at which a scan found an asset, so that no output replaces it.
  package let namedAssets = Monitor<Set<String>>([])

  package init() {}
}
