import System

/// Takes the files of a pack while it is inspected; none of them counts before the whole pack was found right.
protocol FileReceiver: AnyObject {
  /// Begins the file of a place in the pack.
  func begin(_ place: Int) throws(SystemError)
  func append(_ block: RawSpan) throws(SystemError)
  func end() throws(SystemError)
}
