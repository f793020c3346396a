import Foundation
import Support
import Synchronization
@testable import System
import Testing

@Suite struct ThreadTests {
  @Test(arguments: [1, 2, 3, 8, 64])
  func `the body runs once on each thread, all at the same time`(count: Int) {
    let arrived = Monitor<[Int]>([])
    let togetherCount = Monitor(0)
    onThreads(count) { index in
      arrived.change { $0.append(index) }
      // If the threads ran one after another, the first thread would wait until the patience has run out.
      try? blockUntil("all threads run") { arrived.change { $0.count } == count }
      if arrived.change({ $0.count }) == count { togetherCount.change { $0 += 1 } }
    }
    #expect(arrived.change { $0.sorted() } == Array(0..<count))
    #expect(togetherCount.change { $0 } == count)
  }

  @Test(arguments: [0, -1, Int.min])
  func `there is at least one thread`(count: Int) {
    let calls = Monitor<[Int]>([])
    onThreads(count) { index in calls.change { $0.append(index) } }
    #expect(calls.change { $0 } == [0])
  }

  @Test(arguments: [-1, 1, 2, 8, 200])
  func `every item is done once, and the results stand in the order of the items`(count: Int) {
    let items = (0..<100).map { $0 * 3 }
    let done = Monitor<[Int]>([])
    let doubles = onThreads(count, each: items) { item in
      done.change { $0.append(item) }
      return item * 2
    }
    #expect(doubles == items.map { $0 * 2 })
    #expect(done.change { $0.sorted() } == items)
  }

  @Test func `without items there is nothing to do`() {
    #expect(onThreads(4, each: [Int]()) { $0 } == [])
  }

  /// Runs in a separate process.
  ///
  /// A timer ends the process if a thread is missing.
  @Test(.mostlyWaits) func `items are shared out to as many threads as are asked for`() async {
    await #expect(processExitsWith: .success) {
      alarm(30)
      let (busy, most) = (Monitor(0), Monitor(0))
      onThreads(3, each: Array(0..<30)) { _ in
        let count = busy.change { busy in
          busy += 1
          return busy
        }
        most.change { $0 = max($0, count) }
        // The first thread waits until all three threads have run at the same time.
        most.wait { $0 >= 3 ? () : nil }
        busy.change { $0 -= 1 }
      }
      #expect(most.change { $0 } == 3)
    }
  }

  @Test func `the first failure is thrown, and no further item is begun`() {
    let begun = Monitor<[Int]>([])
    #expect(throws: SystemError(during: "open", path: "5", code: 2)) {
      try onThreads(1, each: Array(0..<100)) { item throws(SystemError) in
        begun.change { $0.append(item) }
        if item >= 5 { throw SystemError(during: "open", path: "\(item)", code: 2) }
      }
    }
    #expect(begun.change { $0 } == [0, 1, 2, 3, 4, 5])
  }

  @Test func `a failure ends the work of all threads`() {
    let begun = Monitor(0)
    #expect(throws: SystemError.self) {
      try onThreads(4, each: Array(0..<100_000)) { item throws(SystemError) in
        begun.change { $0 += 1 }
        throw SystemError(during: "open", path: "\(item)", code: 2)
      }
    }
    #expect((1...4).contains(begun.change { $0 }))
  }

  @Test func `one at a time sees the value`() {
    let counter = Monitor(0)
    onThreads(8) { _ in
      for _ in 0..<2000 { counter.change { $0 += 1 } }
    }
    #expect(counter.change { $0 } == 16_000)
  }

  /// Runs in a separate process.
  ///
  /// A timer ends the process if a thread misses a change.
  @Test(.mostlyWaits) func `who waits sees each change until there is a result`() async {
    await #expect(processExitsWith: .success) {
      alarm(30)
      let turn = Monitor(0)
      // Each of four threads waits for its own turn two hundred times.
      onThreads(4) { index in
        for round in 0..<200 {
          turn.wait { $0 == round * 4 + index ? () : nil }
          turn.change { $0 += 1 }
        }
      }
      #expect(turn.change { $0 } == 800)
    }
  }

  /// Runs in a separate process.
  ///
  /// A timer ends the process if memory is not released.
  @Test(.mostlyWaits) func `threads hold no more memory than the budget together`() async {
    await #expect(processExitsWith: .success) {
      alarm(30)
      let budget = MemoryBudget(of: 100)
      // Two threads use the budget at the same time. Together, they need exactly the whole budget.
      let inside = Monitor(0)
      onThreads(2) { _ in
        budget.use(byteCount: 50) {
          inside.change { $0 += 1 }
          inside.wait { $0 == 2 ? () : nil }
        }
      }
      let held = Monitor<Int64>(0)
      onThreads(4, each: Array(0..<200)) { number in
        let bytes: Int64 = number % 20 == 0 ? 300 : 51
        budget.use(byteCount: bytes) {
          let sum = held.change { held in
            held += bytes
            return held
          }
          #expect(sum == bytes)
          usleep(100)
          held.change { $0 -= bytes }
        }
      }
      // After a failure, the thread's part of the budget is available again.
      for _ in 0..<2 {
        #expect(throws: SystemError.self) {
          try budget.use(byteCount: 100) { () throws(SystemError) in
            throw SystemError(during: "open", path: "x", code: 2)
          }
        }
      }
    }
  }

  @Test func `a result that is there is not waited for`() {
    let monitor = Monitor("value")
    #expect(monitor.wait { $0 } == "value")
    let before = monitor.wait { value -> String? in
      defer { value = "other" }
      return value
    }
    #expect(before == "value")
    #expect(monitor.change { $0 } == "other")
  }

  @Test func `an error gets out and leaves the monitor free`() {
    let monitor = Monitor(0)
    #expect(throws: SystemError(during: "open", path: "x", code: 2)) {
      try monitor.change { (value) throws(SystemError) in
        value = 5
        throw SystemError(during: "open", path: "x", code: 2)
      }
    }
    #expect(monitor.change { $0 } == 5)
  }

  @Test func `there is a processor`() {
    #expect(availableProcessors() >= 1)
  }
}
