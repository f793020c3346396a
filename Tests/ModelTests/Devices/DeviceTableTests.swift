import Formats
@testable import Model
@testable import Pipeline
import Support
import Testing

/// Tests the table of device classes, and how a class is found by the name that a user types.
@Suite struct DeviceTableTests {
  @Test func `the table is whole`() {
    let all = DeviceClass.all
    #expect(all.count == 55)
    #expect(Dictionary(grouping: all, by: \.idiom).mapValues(\.count) == [.pad: 27, .phone: 24, .tv: 4])
    #expect(Set(all.map(\.name)).count == 55)
    #expect(all.map(\.name) == all.map(\.name).sorted { $0.precedesInBytes($1) })
    let products = all.flatMap(\.products)
    #expect(products.count == 185)
    #expect(Set(products).count == 185)
    #expect(all.allSatisfy { !$0.products.isEmpty && Traits.scales.contains($0.scale) })
  }

  /// If the table contained an unknown graphics class, this class would be missing from the device without an
  /// error.
  @Test func `all graphics are known`() {
    for device in DeviceClass.all {
      #expect(device.graphics.count == device.fallbackNames.count + 1, "\(device.name)")
      #expect(Set(device.graphics).count == device.graphics.count, "\(device.name)")
      #expect(device.graphics.last == .gles2)
    }
  }

  @Test func `classes are found by name and product`() {
    #expect(DeviceClass.named("iPhone17,1")?.name == "phone 3x P3 8 GB APPLE9")
    #expect(DeviceClass.named("phone 3x P3 8 GB APPLE9")?.products.contains("iPhone16,1") == true)
    #expect(DeviceClass.named("iPad7,7")?.graphicsClass == .apple4)
    #expect(DeviceClass.named("iphone17,1") == nil)
  }

  @Test(arguments: [
    (
      "iPhone 15",
      #""iPhone 15" "packtool devices""#
    ),
    ("iphone17,1", #""iphone17,1" "iPhone17,1""#),
    ("iPad17,1", #""iPad17,1" "iPad17,1-A" "iPad17,1-B""#),
    (
      "toaster", #""toaster" "packtool devices""#
    ),
  ]) func `mistakes are guessed`(word: String, facts: String) {
    #expect(values(in: DeviceClass.mistake(in: word)) == facts)
  }

  /// The names that catalogs and devices use for a graphics class, paired as in the specification.
  @Test(arguments: [
    ("metal1v2", "MTL1,2", GraphicsClass.apple1), ("metal2v2", "MTL2,2", .apple2),
    ("metal3v1", "MTL3,1", .apple3v1), ("metal3v2", "MTL3,2", .apple3), ("metal4v1", "MTL4,1", .apple4),
    ("metal5v1", "MTL5,1", .apple5), ("apple6", "APPLE6", .apple6), ("apple10", "APPLE10", .apple10),
  ]) func `graphics have three names`(catalog: String, device: String, known: GraphicsClass) {
    #expect(GraphicsClass(catalogName: catalog) == known)
    #expect(GraphicsClass(deviceName: device) == known)
  }
}
