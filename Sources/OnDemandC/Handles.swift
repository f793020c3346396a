import Foundation
import OnDemand

/// The open stores and tasks, by their handles.
///
/// A handle is a number that the program treats as a pointer.
///
/// A number is never reused. So if a function gets a handle that was closed, it rejects the handle and cannot
/// confuse it with another object.
enum Handles {
  private struct Table {
    var objects: [OpaquePointer: any AnyObject & Sendable] = [:]
    var count = 0
  }

  private static let table = Locked(Table())

  static func add(_ object: any AnyObject & Sendable) -> OpaquePointer? {
    table.withLock { table in
      table.count += 1
      let handle = OpaquePointer(bitPattern: table.count)
      if let handle { table.objects[handle] = object }
      return handle
    }
  }

  /// Returns the object that a handle stands for; nil if the handle was removed or stands for an object of
  /// another type.
  static func find<Object: AnyObject & Sendable>(
    _ handle: OpaquePointer?, as _: Object.Type
  ) -> Object? {
    table.withLock { table in handle.flatMap { table.objects[$0] } as? Object }
  }

  @discardableResult static func remove<Object: AnyObject & Sendable>(
    _ handle: OpaquePointer?, as _: Object.Type
  ) -> Object? {
    table.withLock { table in
      guard let handle, let object = table.objects[handle] as? Object else { return nil }
      table.objects[handle] = nil
      return object
    }
  }
}

/// C strings that a program can use as long as the owner of the pool exists.
final class StringPool: Sendable {
  private struct Strings: @unchecked Sendable {
    var places: [String: UnsafeMutablePointer<CChar>] = [:]
  }

  private let strings = Locked(Strings())

  func pointer(to text: String) -> UnsafePointer<CChar>? {
    strings.withLock { strings in
      if let place = strings.places[text] { return UnsafePointer(place) }
      let copy = text.withCString { source in
        let size = strlen(source) + 1
        let copy = UnsafeMutablePointer<CChar>.allocate(capacity: size)
        copy.update(from: source, count: size)
        return copy
      }
      strings.places[text] = copy
      return UnsafePointer(copy)
    }
  }

  deinit { strings.withLock { for place in $0.places.values { place.deallocate() } } }
}
