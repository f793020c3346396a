import Foundation
import OnDemand

/// An error of this interface itself, which no call of OnDemand has.
enum InterfaceError: Int32, Error, CustomStringConvertible {
  case badHandle = -100
  case badArgument = -101
  case noUpdate = -102

  var description: String {
    switch self {
    case .badHandle: "the handle is NULL, was closed, or is of another kind"
    case .badArgument: "an argument is NULL, is not UTF-8, or is out of range"
    case .noUpdate: "no newer release was found; call od_check first"
    }
  }
}

/// Options that are not what the header says.
struct OptionsError: Error, CustomStringConvertible {
  let description: String
}

/// What the last call of a thread that failed had to say.
enum LastError {
  private static let key = "packtool.OnDemandC.error"
  private static let none = StringPool()

  static var message: UnsafePointer<CChar>? {
    let pool = Thread.current.threadDictionary[key] as? Message
    return pool?.text ?? none.pointer(to: "")
  }

  /// Notes an error for this thread.
  ///
  /// - Returns: its code, which is below 0.
  @discardableResult static func note(_ error: any Error) -> Int32 {
    Thread.current.threadDictionary[key] = Message(text(of: error))
    return code(of: error)
  }

  private static func text(of error: any Error) -> String {
    error is CancellationError ? "the task was ended" : "\(error)"
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
