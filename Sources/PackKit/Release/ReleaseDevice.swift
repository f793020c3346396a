/// The class of devices that a release was thinned for, as an index names it.
package struct ReleaseDevice: Sendable, Hashable {
  /// The name of the class.
  package let name: String
  /// Its product types.
  package let products: [String]

  package init(name: String, products: [String]) {
    self.name = name
    self.products = products
  }

  package init(_ device: DeviceClass) { self.init(name: device.name, products: device.products) }
}
