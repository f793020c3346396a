import System

/// Receives the files of a pack during its inspection; they may only be used if the whole pack is valid.
protocol FileReceiver: AnyObject {
  /// Begins the file at an index in the pack.
  func begin(_ place: Int) throws(SystemError)
  func append(_ block: RawSpan) throws(SystemError)
  func end() throws(SystemError)
}
