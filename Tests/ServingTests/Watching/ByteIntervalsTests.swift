import Testing

@testable import Serving

@Suite struct ByteIntervalsTests {
  /// Compares the intervals with a set of all byte positions.
  ///
  /// For real files, such a set would be too slow.
  @Test func `counts each byte once`() {
    var numbers = SystemRandomNumberGenerator()
    for _ in 0..<200 {
      var intervals = ByteIntervals()
      var bytes: Set<Int64> = []
      for _ in 0..<40 {
        let start = Int64.random(in: 0..<200, using: &numbers)
        let range = start..<start + Int64.random(in: 0..<20, using: &numbers)
        intervals.add(range)
        bytes.formUnion(range)
        #expect(intervals.size == Int64(bytes.count))
      }
    }
  }

  @Test func `takes no endless memory`() {
    var intervals = ByteIntervals()
    for place in Int64(0)..<10_000 { intervals.add(place * 2..<place * 2 + 1) }
    #expect(intervals.size == 4096)
    intervals.add(0..<20_000)
    #expect(intervals.size == 20_000)
  }

  /// Pieces that are adjacent become one interval.
  @Test func `pieces that touch are one interval`() {
    for order in [Array(0..<5_000), Array((0..<5_000).reversed())] {
      var intervals = ByteIntervals()
      for place in order.map(Int64.init) { intervals.add(place * 2..<place * 2 + 2) }
      #expect(intervals.size == 10_000)
      // After the pieces became one interval, there is still room for other intervals.
      intervals.add(20_000..<20_001)
      #expect(intervals.size == 10_001)
    }
  }

  @Test func `ranges that overlap, touch or contain others`() {
    var intervals = ByteIntervals()
    func size(adding range: Range<Int64>) -> Int64 {
      intervals.add(range)
      return intervals.size
    }
    #expect(size(adding: 10..<20) == 10)
    #expect(size(adding: 30..<40) == 20)
    #expect(size(adding: 50..<60) == 30)
    #expect(size(adding: 12..<18) == 30)
    #expect(size(adding: 20..<21) == 31)
    #expect(size(adding: 29..<30) == 32)
    #expect(size(adding: 5..<12) == 37)
    #expect(size(adding: 35..<55) == 47)
    #expect(size(adding: 0..<100) == 100)
    #expect(size(adding: 99..<101) == 101)
    #expect(size(adding: 0..<101) == 101)
  }

  @Test func `a range without bytes changes nothing`() {
    var intervals = ByteIntervals()
    intervals.add(5..<5)
    intervals.add(5..<7)
    intervals.add(7..<7)
    intervals.add(5..<7)
    #expect(intervals.size == 2)
    // Ranges without bytes do not take up the room for other intervals.
    for place in Int64(10)..<10_000 { intervals.add(place * 2..<place * 2) }
    intervals.add(30_000..<30_001)
    #expect(intervals.size == 3)
  }
}
