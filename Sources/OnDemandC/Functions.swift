import Foundation
import OnDemand

// The functions that OnDemandC.h declares and documents. A test compares this file with the header.

/// See `OnDemandC.h`.
@c(od_error) public func lastError() -> UnsafePointer<CChar>? { LastError.message }

/// See `OnDemandC.h`.
@c(od_open) public func openStore(
  at folder: UnsafePointer<CChar>?, server: UnsafePointer<CChar>?, options: UnsafePointer<CChar>?
) -> OpaquePointer? {
  returningHandle {
    let place = URL(fileURLWithPath: try text(folder), isDirectory: true)
    guard let server = URL(string: try text(server)), server.scheme != nil else {
      throw InterfaceError.badArgument
    }
    let chosen = try options.map { try OptionsText.options(of: text($0)) } ?? PackStore.Options()
    let opened = waiting { () async -> Result<PackStore, any Error> in
      do { return .success(try await PackStore.open(at: place, server: server, chosen)) } catch {
        return .failure(error)
      }
    }
    return OpenStore(try opened.get())
  }
}

/// See `OnDemandC.h`.
@c(od_close) public func closeStore(_ store: OpaquePointer?) {
  guard let open = Handles.remove(store, as: OpenStore.self) else { return }
  waiting { await open.store.close() }
}

/// See `OnDemandC.h`.
@c(od_tag) public func tag(of store: OpaquePointer?, at place: Int32) -> UnsafePointer<CChar>? {
  returningPointer {
    let open = try find(store)
    let tags = open.store.tags
    return tags.indices.contains(Int(place)) ? open.strings.pointer(to: tags[Int(place)]) : nil
  }
}

/// See `OnDemandC.h`.
@c(od_state) public func state(in store: OpaquePointer?, of tag: UnsafePointer<CChar>?) -> Int32 {
  returningCode {
    let (open, tag) = (try find(store), try text(tag))
    return switch waiting(for: { await open.store.state(of: tag) }) {
    case .missing: 0
    case .partial: 1
    case .downloaded: 2
    case .inUse: 3
    }
  }
}

/// See `OnDemandC.h`.
@c(od_size) public func downloadSize(
  in store: OpaquePointer?, of tags: UnsafePointer<UnsafePointer<CChar>?>?, count: Int32
) -> Int64 {
  returningCode {
    let (open, tags) = (try find(store), try texts(tags, count: count))
    return waiting { await open.store.downloadSize(of: tags) }
  }
}

/// See `OnDemandC.h`.
@c(od_remove) public func remove(
  from store: OpaquePointer?, tags: UnsafePointer<UnsafePointer<CChar>?>?, count: Int32
) -> Int64 {
  returningCode {
    let (open, tags) = (try find(store), try texts(tags, count: count))
    return waiting { await open.store.remove(tags) }
  }
}

/// See `OnDemandC.h`.
@c(od_network) public func setNetwork(of store: OpaquePointer?, to isAvailable: Int32) -> Int32 {
  returningCode {
    let open = try find(store)
    open.store.setNetworkAvailable(isAvailable != 0)
    return 0
  }
}

/// See `OnDemandC.h`.
@c(od_request) public func request(
  from store: OpaquePointer?, tags: UnsafePointer<UnsafePointer<CChar>?>?, count: Int32
) -> OpaquePointer? {
  returningHandle {
    let (open, tags) = (try find(store), try texts(tags, count: count))
    return OpenTask(open.store.request(for: tags))
  }
}

/// See `OnDemandC.h`.
@c(od_install) public func install(_ store: OpaquePointer?) -> OpaquePointer? {
  returningHandle {
    let open = try find(store)
    return OpenTask { open.store.install() }
  }
}

/// See `OnDemandC.h`.
@c(od_check) public func checkForUpdate(of store: OpaquePointer?) -> OpaquePointer? {
  returningHandle {
    let open = try find(store)
    return OpenTask(doing: { _ = try await open.store.checkForUpdate() })
  }
}

/// See `OnDemandC.h`.
@c(od_update_size) public func updateSize(of store: OpaquePointer?) -> Int64 {
  returningCode { try update(of: store).downloadSize }
}

/// See `OnDemandC.h`.
@c(od_download) public func downloadUpdate(of store: OpaquePointer?) -> OpaquePointer? {
  returningHandle {
    let update = try update(of: store)
    return OpenTask { update.download() }
  }
}

/// See `OnDemandC.h`.
@c(od_apply) public func applyUpdate(of store: OpaquePointer?) -> OpaquePointer? {
  returningHandle {
    let update = try update(of: store)
    return OpenTask(applying: update)
  }
}

/// See `OnDemandC.h`.
@c(od_poll) public func poll(
  _ task: OpaquePointer?, bytes: UnsafeMutablePointer<Int64>?, total: UnsafeMutablePointer<Int64>?
) -> Int32 {
  returningCode {
    let progress = try find(task: task).progress
    bytes?.pointee = progress.bytes
    total?.pointee = progress.total
    try progress.outcome?.get()
    return progress.outcome == nil ? 0 : 1
  }
}

/// See `OnDemandC.h`.
@c(od_priority) public func setPriority(of task: OpaquePointer?, to priority: Double) -> Int32 {
  returningCode {
    guard let request = try find(task: task).request else { throw InterfaceError.badHandle }
    request.loadingPriority = priority > 1 ? .urgent : LoadingPriority(priority)
    return 0
  }
}

/// See `OnDemandC.h`.
@c(od_pause) public func pause(_ task: OpaquePointer?, isPaused: Int32) -> Int32 {
  returningCode {
    guard let request = try find(task: task).request else { throw InterfaceError.badHandle }
    if isPaused != 0 { request.pause() } else { request.resume() }
    return 0
  }
}

/// See `OnDemandC.h`.
@c(od_path) public func path(
  in task: OpaquePointer?, of file: UnsafePointer<CChar>?
) -> UnsafePointer<CChar>? {
  returningPointer {
    let (open, file) = (try find(task: task), try text(file))
    guard let request = open.request, open.isDone else { throw OnDemandError.notHeld(path: file) }
    return open.strings.pointer(to: try request.url(for: file).path)
  }
}

/// See `OnDemandC.h`.
@c(od_archive) public func archive(of task: OpaquePointer?, at place: Int32) -> UnsafePointer<CChar>? {
  returningPointer {
    let open = try find(task: task)
    let archives = open.isDone ? open.request?.archives ?? [] : []
    return archives.indices.contains(Int(place)) ? open.strings.pointer(to: archives[Int(place)].path) : nil
  }
}

/// See `OnDemandC.h`.
@c(od_end) public func end(_ task: OpaquePointer?) { Handles.remove(task, as: OpenTask.self)?.end() }

// Helper functions.

private func find(_ store: OpaquePointer?) throws(InterfaceError) -> OpenStore {
  guard let open = Handles.find(store, as: OpenStore.self) else { throw .badHandle }
  return open
}

private func find(task: OpaquePointer?) throws(InterfaceError) -> OpenTask {
  guard let open = Handles.find(task, as: OpenTask.self) else { throw .badHandle }
  return open
}

private func update(of store: OpaquePointer?) throws(InterfaceError) -> PackStore.Update {
  guard let update = try find(store).store.stagedUpdate else { throw .noUpdate }
  return update
}

private func text(_ bytes: UnsafePointer<CChar>?) throws(InterfaceError) -> String {
  guard let text = bytes.flatMap({ String(validatingCString: $0) }) else { throw .badArgument }
  return text
}

private func texts(
  _ list: UnsafePointer<UnsafePointer<CChar>?>?, count: Int32
) throws(InterfaceError) -> [String] {
  guard let list, count > 0 else { throw .badArgument }
  return try (0..<Int(count)).map { place throws(InterfaceError) in try text(list[place]) }
}

/// Returns the result of a closure; if it throws, stores the error and returns NULL.
private func returningPointer<Pointer>(_ body: () throws -> Pointer?) -> Pointer? {
  do {
    return try body()
  } catch {
    LastError.record(error)
    return nil
  }
}

private func returningHandle(_ body: () throws -> any AnyObject & Sendable) -> OpaquePointer? {
  returningPointer { Handles.add(try body()) }
}

/// Returns the result of a closure; if it throws, stores the error and returns its negative code.
private func returningCode<Number: FixedWidthInteger & SignedInteger>(_ body: () throws -> Number) -> Number {
  do { return try body() } catch { return Number(LastError.record(error)) }
}
