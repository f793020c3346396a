/// The graphics classes that a device can use, its own first, by the names that devices have for them.
struct GraphicsOrder: Sendable {
  let names: [String]

  private init(_ names: String) { self.names = names.split(separator: " ").map(String.init) }

  static let apple2 = GraphicsOrder("APPLE2 APPLE1 GLES2,0")
  static let apple3 = GraphicsOrder("APPLE3 APPLE3v1 APPLE2 APPLE1 GLES2,0")
  static let apple5With5 = GraphicsOrder("APPLE5 APPLE4 APPLE3v1 APPLE2 APPLE1 GLES2,0")
  static let apple4 = GraphicsOrder("APPLE4 APPLE3 APPLE3v1 APPLE2 APPLE1 GLES2,0")
  static let apple5 = GraphicsOrder("APPLE5 APPLE4 APPLE3 APPLE3v1 APPLE2 APPLE1 GLES2,0")
  static let apple6With6 = GraphicsOrder("APPLE6 APPLE5 APPLE4 APPLE3v1 APPLE2 APPLE1 GLES2,0")
  static let apple6 = GraphicsOrder("APPLE6 APPLE5 APPLE4 APPLE3 APPLE3v1 APPLE2 APPLE1 GLES2,0")
  static let apple7 = GraphicsOrder("APPLE7 APPLE6 APPLE5 APPLE4 APPLE3 APPLE3v1 APPLE2 APPLE1 GLES2,0")
  static let apple8With8 = GraphicsOrder("APPLE8 APPLE7 APPLE6 APPLE5 APPLE4 APPLE3 APPLE2 APPLE1 GLES2,0")
  static let apple8 = GraphicsOrder(
    "APPLE8 APPLE7 APPLE6 APPLE5 APPLE4 APPLE3 APPLE3v1 APPLE2 APPLE1 GLES2,0")
  static let apple9 = GraphicsOrder(
    "APPLE9 APPLE8 APPLE7 APPLE6 APPLE5 APPLE4 APPLE3 APPLE3v1 APPLE2 APPLE1 GLES2,0")
  static let apple10 = GraphicsOrder(
    "APPLE10 APPLE9 APPLE8 APPLE7 APPLE6 APPLE5 APPLE4 APPLE3 APPLE3v1 APPLE2 APPLE1 GLES2,0")
  static let gles2 = GraphicsOrder("GLES2,0")
  static let mtl1x2 = GraphicsOrder("MTL1,2 GLES2,0")
  static let mtl2x2 = GraphicsOrder("MTL2,2 MTL1,2 GLES2,0")
  static let mtl4x1 = GraphicsOrder("MTL4,1 MTL3,2 MTL3,1 MTL2,2 MTL1,2 GLES2,0")
  static let mtl5x1 = GraphicsOrder("MTL5,1 MTL4,1 MTL3,2 MTL3,1 MTL2,2 MTL1,2 GLES2,0")
}
