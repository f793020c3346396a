import Foundation
import OnDemand

/// An error in the use of the C interface.
///
/// `OnDemandError` has no case for it.
enum InterfaceError: Int32, Error, CustomStringConvertible {
  case badHandle = -100
  case badArgument = -101
  case noUpdate = -102

  var description: String {
    switch self {
    case .badHandle: "the handle is NULL, was closed, or has another type"
    case .badArgument: "an argument is NULL, is not UTF-8, or is out of range"
    case .noUpdate: "no newer release was found; call od_check first"
    }
  }
}

/// An option that is unknown or has a wrong value.
struct OptionsError: Error, CustomStringConvertible {
  let description: String
}

/// The error message of the last call that failed, separately for each thread.
enum LastError {
  private static let key = "packtool.OnDemandC.error"
  private static let none = StringPool()

  static var message: UnsafePointer<CChar>? {
    let pool = Thread.current.threadDictionary[key] as? Message
    return pool?.text ?? none.pointer(to: "")
  }

  /// Stores an error as the last error of this thread.
  ///
  /// - Returns: the error's code, which is negative.
  @discardableResult static func record(_ error: any Error) -> Int32 {
    Thread.current.threadDictionary[key] = Message(text(of: error))
    return code(of: error)
  }

  private static func text(of error: any Error) -> String {
    error is CancellationError ? "the task was cancelled" : "\(error)"
  }

  static func code(of error: any Error) -> Int32 {
    switch error {
    case let error as InterfaceError: error.rawValue
    case is OptionsError: InterfaceError.badArgument.rawValue
    case let error as OnDemandError: Int32(-error.errorCode)
    case is CancellationError: Int32(-OnDemandError.ended.errorCode)
    default: Int32(-OnDemandError.storage(UnderlyingError(error)).errorCode)
    }
  }

  private final class Message {
    private let pool = StringPool()
    let text: UnsafePointer<CChar>?

    init(_ text: String) { self.text = pool.pointer(to: text) }
  }
}
