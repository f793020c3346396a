/// The table of device classes.
extension DeviceClass {
  /// The source of the data in the table.
  package static let source =
    "product types in device_traits.json of github.com/blacktop/ipsw (MIT), the newest trustworthy row of each"
  /// The date of the newest row in the table.
  package static let asOf = "2026-08-22"

  /// All device classes of phones, pads and TVs, sorted by family and then by name in byte order.
  package static let all: [DeviceClass] = pads + phones + tvs
  private static let pads: [DeviceClass] = [
    DeviceClass(
      .pad, scale: 1, gamut: .sRGB, gigabytes: 0, graphicsBestFirst: gles2,
      products: "iPad2,1 iPad2,2 iPad2,3 iPad2,4 iPad2,5 iPad2,6 iPad2,7"),
    DeviceClass(
      .pad, scale: 2, gamut: .p3, gigabytes: 12, graphicsBestFirst: apple10,
      products: "iPad17,1-A iPad17,2-A iPad17,3-A iPad17,4-A"),
    DeviceClass(
      .pad, scale: 2, gamut: .p3, gigabytes: 16, graphicsBestFirst: apple10,
      products: "iPad17,1-B iPad17,2-B iPad17,3-B iPad17,4-B"),
    DeviceClass(
      .pad, scale: 2, gamut: .p3, gigabytes: 16, graphicsBestFirst: apple7,
      products: "iPad13,11 iPad13,5 iPad13,7 iPad13,9"),
    DeviceClass(
      .pad, scale: 2, gamut: .p3, gigabytes: 16, graphicsBestFirst: apple8,
      products: "iPad14,3-B iPad14,4-B iPad14,5-B iPad14,6-B"),
    DeviceClass(
      .pad, scale: 2, gamut: .p3, gigabytes: 16, graphicsBestFirst: apple9,
      products: "iPad16,3-B iPad16,4-B iPad16,5-B iPad16,6-B"),
    DeviceClass(
      .pad, scale: 2, gamut: .p3, gigabytes: 2, graphicsBestFirst: apple3, products: "iPad6,3 iPad6,4"),
    DeviceClass(
      .pad, scale: 2, gamut: .p3, gigabytes: 3, graphicsBestFirst: apple3,
      products: "iPad7,1 iPad7,2 iPad7,3 iPad7,4"),
    DeviceClass(
      .pad, scale: 2, gamut: .p3, gigabytes: 3, graphicsBestFirst: apple5,
      products: "iPad8,1 iPad8,3 iPad8,5 iPad8,7"),
    DeviceClass(
      .pad, scale: 2, gamut: .p3, gigabytes: 3, graphicsBestFirst: apple7, products: "iPad13,1 iPad13,2"),
    DeviceClass(
      .pad, scale: 2, gamut: .p3, gigabytes: 3, graphicsBestFirst: apple8With8, products: "iPad14,1 iPad14,2"),
    DeviceClass(
      .pad, scale: 2, gamut: .p3, gigabytes: 3, graphicsBestFirst: mtl4x1,
      products: "iPad7,10 iPad7,7 iPad7,8 iPad7,9"
    ),
    DeviceClass(
      .pad, scale: 2, gamut: .p3, gigabytes: 4, graphicsBestFirst: apple5,
      products: "iPad11,1 iPad11,2 iPad11,3 iPad11,4"),
    DeviceClass(
      .pad, scale: 2, gamut: .p3, gigabytes: 6, graphicsBestFirst: apple5,
      products: "iPad8,10 iPad8,11 iPad8,12 iPad8,2 iPad8,4 iPad8,6 iPad8,8 iPad8,9"),
    DeviceClass(
      .pad, scale: 2, gamut: .p3, gigabytes: 8, graphicsBestFirst: apple7,
      products: "iPad13,10 iPad13,16 iPad13,17 iPad13,4 iPad13,6 iPad13,8"),
    DeviceClass(
      .pad, scale: 2, gamut: .p3, gigabytes: 8, graphicsBestFirst: apple8,
      products:
        "iPad14,10 iPad14,11 iPad14,3 iPad14,3-A iPad14,4 iPad14,4-A iPad14,5 iPad14,5-A iPad14,6 iPad14,6-A iPad14,8 iPad14,9"
    ),
    DeviceClass(
      .pad, scale: 2, gamut: .p3, gigabytes: 8, graphicsBestFirst: apple9,
      products:
        "iPad15,3 iPad15,4 iPad15,5 iPad15,6 iPad16,1 iPad16,2 iPad16,3-A iPad16,4-A iPad16,5-A iPad16,6-A"),
    DeviceClass(
      .pad, scale: 2, gamut: .sRGB, gigabytes: 1, graphicsBestFirst: gles2,
      products: "iPad3,1 iPad3,2 iPad3,3 iPad3,4 iPad3,5 iPad3,6"),
    DeviceClass(
      .pad, scale: 2, gamut: .sRGB, gigabytes: 1, graphicsBestFirst: mtl1x2,
      products: "iPad4,1 iPad4,2 iPad4,3 iPad4,4 iPad4,5 iPad4,6 iPad4,7 iPad4,8 iPad4,9"),
    DeviceClass(
      .pad, scale: 2, gamut: .sRGB, gigabytes: 2, graphicsBestFirst: apple2,
      products: "iPad5,1 iPad5,2 iPad5,3 iPad5,4"),
    DeviceClass(
      .pad, scale: 2, gamut: .sRGB, gigabytes: 2, graphicsBestFirst: apple3,
      products: "iPad6,11 iPad6,12 iPad7,5 iPad7,6"),
    DeviceClass(
      .pad, scale: 2, gamut: .sRGB, gigabytes: 3, graphicsBestFirst: apple3, products: "iPad6,7 iPad6,8"),
    DeviceClass(
      .pad, scale: 2, gamut: .sRGB, gigabytes: 3, graphicsBestFirst: apple7, products: "iPad13,18 iPad13,19"),
    DeviceClass(
      .pad, scale: 2, gamut: .sRGB, gigabytes: 4, graphicsBestFirst: apple3, products: "iPad7,11 iPad7,12"),
    DeviceClass(
      .pad, scale: 2, gamut: .sRGB, gigabytes: 4, graphicsBestFirst: apple5With5,
      products: "iPad11,6 iPad11,7"),
    DeviceClass(
      .pad, scale: 2, gamut: .sRGB, gigabytes: 4, graphicsBestFirst: apple6With6,
      products: "iPad12,1 iPad12,2"),
    DeviceClass(
      .pad, scale: 2, gamut: .sRGB, gigabytes: 6, graphicsBestFirst: apple8, products: "iPad15,7 iPad15,8"),
  ]

  private static let phones: [DeviceClass] = [
    DeviceClass(
      .phone, scale: 2, gamut: .p3, gigabytes: 2, graphicsBestFirst: apple3, products: "iPhone9,1 iPhone9,3"),
    DeviceClass(
      .phone, scale: 2, gamut: .p3, gigabytes: 2, graphicsBestFirst: apple4, products: "iPhone10,1 iPhone10,4"
    ),
    DeviceClass(
      .phone, scale: 2, gamut: .p3, gigabytes: 3, graphicsBestFirst: apple6, products: "iPhone12,1"),
    DeviceClass(
      .phone, scale: 2, gamut: .p3, gigabytes: 3, graphicsBestFirst: apple8, products: "iPhone14,6"),
    DeviceClass(
      .phone, scale: 2, gamut: .p3, gigabytes: 4, graphicsBestFirst: apple5, products: "iPhone11,8"),
    DeviceClass(
      .phone, scale: 2, gamut: .p3, gigabytes: 4, graphicsBestFirst: apple6, products: "iPhone12,8"),
    DeviceClass(
      .phone, scale: 2, gamut: .sRGB, gigabytes: 0, graphicsBestFirst: gles2, products: "iPhone4,1 iPod5,1"),
    DeviceClass(
      .phone, scale: 2, gamut: .sRGB, gigabytes: 1, graphicsBestFirst: gles2,
      products: "iPhone5,1 iPhone5,2 iPhone5,3 iPhone5,4"),
    DeviceClass(
      .phone, scale: 2, gamut: .sRGB, gigabytes: 1, graphicsBestFirst: mtl1x2, products: "iPhone6,1 iPhone6,2"
    ),
    DeviceClass(
      .phone, scale: 2, gamut: .sRGB, gigabytes: 1, graphicsBestFirst: mtl2x2, products: "iPhone7,2 iPod7,1"),
    DeviceClass(
      .phone, scale: 2, gamut: .sRGB, gigabytes: 2, graphicsBestFirst: apple3,
      products: "iPhone8,1 iPhone8,4 iPod9,1"),
    DeviceClass(
      .phone, scale: 3, gamut: .p3, gigabytes: 12, graphicsBestFirst: apple10,
      products: "iPhone18,1 iPhone18,2 iPhone18,4"),
    DeviceClass(
      .phone, scale: 3, gamut: .p3, gigabytes: 3, graphicsBestFirst: apple5,
      products: "iPhone11,2 iPhone11,4 iPhone11,6"),
    DeviceClass(
      .phone, scale: 3, gamut: .p3, gigabytes: 3, graphicsBestFirst: apple6, products: "iPhone12,3 iPhone12,5"
    ),
    DeviceClass(
      .phone, scale: 3, gamut: .p3, gigabytes: 3, graphicsBestFirst: apple7, products: "iPhone13,1 iPhone13,2"
    ),
    DeviceClass(
      .phone, scale: 3, gamut: .p3, gigabytes: 3, graphicsBestFirst: apple8, products: "iPhone14,4 iPhone14,5"
    ),
    DeviceClass(
      .phone, scale: 3, gamut: .p3, gigabytes: 4, graphicsBestFirst: apple3, products: "iPhone9,2 iPhone9,4"),
    DeviceClass(
      .phone, scale: 3, gamut: .p3, gigabytes: 4, graphicsBestFirst: apple4,
      products: "iPhone10,2 iPhone10,3 iPhone10,5 iPhone10,6"),
    DeviceClass(
      .phone, scale: 3, gamut: .p3, gigabytes: 6, graphicsBestFirst: apple7, products: "iPhone13,3 iPhone13,4"
    ),
    DeviceClass(
      .phone, scale: 3, gamut: .p3, gigabytes: 6, graphicsBestFirst: apple8,
      products: "iPhone14,2 iPhone14,3 iPhone14,7 iPhone14,8 iPhone15,2 iPhone15,3 iPhone15,4 iPhone15,5"),
    DeviceClass(
      .phone, scale: 3, gamut: .p3, gigabytes: 8, graphicsBestFirst: apple10, products: "iPhone18,3"),
    DeviceClass(
      .phone, scale: 3, gamut: .p3, gigabytes: 8, graphicsBestFirst: apple9,
      products: "iPhone16,1 iPhone16,2 iPhone17,1 iPhone17,2 iPhone17,3 iPhone17,4 iPhone17,5"),
    DeviceClass(
      .phone, scale: 3, gamut: .sRGB, gigabytes: 1, graphicsBestFirst: mtl2x2, products: "iPhone7,1"),
    DeviceClass(
      .phone, scale: 3, gamut: .sRGB, gigabytes: 2, graphicsBestFirst: apple3, products: "iPhone8,2"),
  ]

  private static let tvs: [DeviceClass] = [
    DeviceClass(
      .tv, scale: 1, gamut: .sRGB, gigabytes: 2, graphicsBestFirst: apple2,
      products: "AppleTV3,1 AppleTV3,2 AppleTV5,3"),
    DeviceClass(.tv, scale: 2, gamut: .p3, gigabytes: 3, graphicsBestFirst: apple8, products: "AppleTV14,1"),
    DeviceClass(.tv, scale: 2, gamut: .p3, gigabytes: 4, graphicsBestFirst: apple3, products: "AppleTV6,2"),
    DeviceClass(.tv, scale: 2, gamut: .p3, gigabytes: 4, graphicsBestFirst: mtl5x1, products: "AppleTV11,1"),
  ]
}
