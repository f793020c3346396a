/// A priority queue that returns its smallest element first.
@usableFromInline
package struct BinaryHeap<Element: Comparable> {
  // The functions are inlinable. Otherwise, a generic function would look up its types for each of millions
  // of elements.
  @usableFromInline var elements: [Element] = []

  package init() {}

  package var least: Element? { elements.first }

  @inlinable
  package mutating func insert(_ element: Element) {
    elements.append(element)
    var child = elements.count - 1
    while child > 0 {
      let parent = (child - 1) / 2
      if !(elements[child] < elements[parent]) { return }
      elements.swapAt(child, parent)
      child = parent
    }
  }

  /// Removes and returns the smallest element.
  ///
  /// Returns nil if the heap is empty.
  @discardableResult @inlinable
  package mutating func removeLeast() -> Element? {
    if elements.count < 2 { return elements.popLast() }
    elements.swapAt(0, elements.count - 1)
    let least = elements.removeLast()
    var parent = 0
    while true {
      var child = 2 * parent + 1
      if child >= elements.count { return least }
      if child + 1 < elements.count && elements[child + 1] < elements[child] { child += 1 }
      if !(elements[child] < elements[parent]) { return least }
      elements.swapAt(child, parent)
      parent = child
    }
  }
}
