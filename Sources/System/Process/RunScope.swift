/// The files and folders that the command line specifies.
///
/// All code of a run can access them.
///
/// The scope is bound for a whole run and passed to the threads that the run starts. So the code of a new
/// command, flag or kind of input cannot forget to pass the scope on.
package struct RunScope: Sendable {
  /// The scope of the run that the current thread works for.
  @TaskLocal package static var current = RunScope()

  /// A file that is specified with a flag or an argument.
  package struct NamedFile: Sendable, Hashable {
    /// The flag or argument, such as "--report".
    package let name: String
    package let path: String

    package init(name: String, path: String) {
      self.name = name
      self.path = path
    }
  }

  /// The folder that must contain the roots of manifests; nil means the checkout that contains the manifest.
  package var root: String?
  /// The files, other than assets, that flags and arguments specify.
  package var files: [NamedFile] = []
  /// Whether symlinks among assets and input files may lead to any place.
  package var followsSymlinks = false

  /// The paths in `files` at which a scan found an asset.
  ///
  /// No output may replace such an asset.
  package let namedAssets = Monitor<Set<String>>([])

  package init() {}
}
