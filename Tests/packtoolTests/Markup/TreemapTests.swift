@testable import Formats
import Testing
import packtool

struct TreemapTests {
  /// The example in the paper has the areas 6, 6, 4, 3, 2, 2, 1 in a rectangle of 6 × 4.
  @Test func `examples of the paper`() {
    let frame = Rectangle(x: 0, y: 0, width: 6, height: 4)
    let map = SquarifiedTreemap([6, 6, 4, 3, 2, 2, 1], in: frame).rectangles
    #expect(map[0] == Rectangle(x: 0, y: 0, width: 3, height: 2))
    #expect(map[1] == Rectangle(x: 0, y: 2, width: 3, height: 2))
    #expect(abs(map[2].width - 12.0 / 7) < 1e-9 && abs(map[3].width - 9.0 / 7) < 1e-9)
  }

  @Test(arguments: [1, 2, 7, 100, 1500])
  func `areas are the weights`(count: Int) {
    let frame = Rectangle(x: 10, y: 20, width: 1000, height: 500)
    let weights = (0..<count).map { Double((count - $0) * (count - $0)) }
    let map = SquarifiedTreemap(weights, in: frame).rectangles
    let total = weights.reduce(0, +)
    #expect(map.count == count)
    for (weight, rectangle) in zip(weights, map) {
      #expect(abs(rectangle.area - weight / total * frame.area) < 0.01)
      #expect(rectangle.x >= 9.999 && rectangle.y >= 19.999)
      #expect(rectangle.x + rectangle.width <= 1010.001 && rectangle.y + rectangle.height <= 520.001)
    }
  }

  @Test func `nothing has no area`() {
    let frame = Rectangle(x: 0, y: 0, width: 10, height: 10)
    #expect(SquarifiedTreemap([], in: frame).rectangles.isEmpty)
    #expect(SquarifiedTreemap([0, 0], in: frame).rectangles.map(\.area) == [0, 0])
    #expect(SquarifiedTreemap([4, 0, 0], in: frame).rectangles.map(\.area) == [100, 0, 0])
    #expect(
      SquarifiedTreemap([1], in: Rectangle(x: 0, y: 0, width: 0, height: 5)).rectangles.map(\.area) == [0])
  }
}
