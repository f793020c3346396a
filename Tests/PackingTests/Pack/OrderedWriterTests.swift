import Foundation
@testable import Packing
import Support
import Synchronization
@testable import System
import Testing

@Suite struct OrderedWriterTests {
  private struct Failure: Error {}

  @Test(arguments: [1, 2, 3, 8])
  func `pieces are written in their order, one at a time, whoever makes them`(workers: Int) {
    let writer = OrderedWriter<Int>()
    let next = Atomic(0)
    let writers = Atomic(0)
    let written = Monitor<[Int]>([])
    onThreads(workers) { _ in
      while true {
        let number = next.add(1, ordering: .relaxed).oldValue
        if number >= 200 { return }
        try? writer.put(number) {
          usleep(UInt32(number * 37 % 200))
          return number * 7
        } write: { number, piece in
          #expect(piece == number * 7)
          #expect(writers.add(1, ordering: .relaxed).newValue == 1)
          usleep(UInt32(number * 11 % 50))
          writers.subtract(1, ordering: .relaxed)
          written.change { $0.append(number) }
        }
      }
    }
    #expect(written.change { $0 } == Array(0..<200))
  }

  @Test func `a piece is due once those before it are written`() throws {
    let writer = OrderedWriter<Int>()
    #expect(writer.isDue(0) && !writer.isDue(1))
    try writer.put(0) {
      #expect(writer.isDue(0))
      return 0
    } write: { _, _ in
      #expect(!writer.isDue(0) && !writer.isDue(1))
    }
    #expect(writer.isDue(1))
  }

  /// If the writer held a lock during a write, it could not accept other pieces.
  ///
  /// If there were no limit, it would accept all pieces.
  @Test func `others go on while a piece is written, but not far`() {
    let writer = OrderedWriter<Int>()
    let (handedOver, written) = (Monitor(0), Monitor<[Int]>([]))
    let isBegun = Monitor(false)
    onThreads(2) { thread in
      if thread == 1 { isBegun.wait { $0 ? () : nil } }
      for number in thread == 0 ? 0..<1 : 1..<20 {
        try? writer.put(number) {
          number
        } write: { number, _ in
          if number == 0 {
            isBegun.change { $0 = true }
            // The writer accepts the next five pieces, and no more, even if the write takes long.
            handedOver.wait { $0 == 5 ? () : nil }
            usleep(20_000)
            #expect(handedOver.change { $0 } == 5)
          }
          written.change { $0.append(number) }
        }
        if thread == 1 { handedOver.change { $0 += 1 } }
      }
    }
    #expect(written.change { $0 } == Array(0..<20))
  }

  @Test(arguments: [0, 3, 19])
  func `where one fails nobody waits, and nothing behind it is written`(bad: Int) {
    let writer = OrderedWriter<Int>()
    let next = Atomic(0)
    let failures = Atomic(0)
    let written = Monitor<[Int]>([])
    onThreads(6) { _ in
      while true {
        let number = next.add(1, ordering: .relaxed).oldValue
        if number >= 20 { return }
        do {
          try writer.put(number) {
            if number == bad {
              // Other threads write the pieces before this one.
              try? blockUntil("the pieces before this one are written") { written.change { $0.count } >= bad }
              throw Failure()
            }
            return number
          } write: { number, _ in
            written.change { $0.append(number) }
          }
        } catch {
          failures.add(1, ordering: .relaxed)
        }
      }
    }
    #expect(failures.load(ordering: .relaxed) == 1)
    #expect(written.change { $0 } == Array(0..<bad))
  }

  @Test func `a write that fails ends it, too`() {
    let writer = OrderedWriter<Int>()
    let written = Monitor<[Int]>([])
    for number in 0..<5 {
      let result: Void? = try? writer.put(number) {
        number
      } write: { number, _ in
        if number == 2 { throw Failure() }
        written.change { $0.append(number) }
      }
      #expect((result == nil) == (number == 2))
    }
    #expect(written.change { $0 } == [0, 1])
  }
}
