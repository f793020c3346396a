import Foundation
@testable import Model
@testable import Pipeline
import Support
import Testing

/// Tests which variant is picked for a device class.
///
/// There is a table of cases, and there are checks that every pick must pass.
@Suite struct PickTests {
  /// A line of the table.
  struct Case: Sendable, CustomTestStringConvertible {
    let device: DeviceClass
    let variants: [Traits]
    /// The index of the variant; nil if no variant is picked.
    let pick: Int?
    let testDescription: String
  }

  private static let cases: [Case] = {
    let path = "\(packageFolder)/Tests/Fixtures/Devices/pick.txt"
    let text = (try? String(contentsOfFile: path, encoding: .utf8)) ?? ""
    return text.split(separator: "\n").filter { !$0.hasPrefix("#") }.compactMap { line in
      let parts = line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
      guard parts.count == 3, let device = DeviceClass.named(parts[0]) else { return nil }
      let variants = parts[1].components(separatedBy: "; ").map(traits)
      return Case(
        device: device, variants: variants, pick: Int(parts[2]).map { $0 - 1 }, testDescription: String(line))
    }
  }()

  /// Parses traits, for example `scale=2 idiom=pad` or `any`.
  private static func traits(_ text: String) -> Traits {
    var traits = Traits()
    for pair in text.split(separator: " ") where pair != "any" {
      let parts = pair.split(separator: "=").map(String.init)
      switch parts[0] {
      case "idiom": traits.idiom = Idiom(rawValue: parts[1])
      case "scale": traits.scale = Int(parts[1])
      case "memory": traits.memory = Int(parts[1])
      case "graphics": traits.graphics = GraphicsClass(rawValue: parts[1])
      case "gamut": traits.gamut = Gamut(rawValue: parts[1])
      default: Issue.record("the trait \(pair) is unknown")
      }
    }
    return traits
  }

  @Test func `the table is there`() { #expect(Self.cases.count > 300) }

  @Test(arguments: cases) func `table`(line: Case) {
    #expect(line.device.pick(from: line.variants) == line.pick)
  }

  /// Returns a random list of variants, to find cases that nobody thought of.
  private static func randomVariants(_ random: inout some RandomNumberGenerator) -> [Traits] {
    (0..<Int.random(in: 1...6, using: &random)).map { _ in
      Traits(
        idiom: [nil, nil, .phone, .pad, .tv, .mac].randomElement(using: &random) ?? nil,
        scale: [nil, 1, 2, 3].randomElement(using: &random) ?? nil,
        memory: [nil, nil, 1, 2, 3, 4, 8, 12].randomElement(using: &random) ?? nil,
        graphics: ([nil, nil] + GraphicsClass.allCases.map(Optional.some)).randomElement(using: &random)
          ?? nil,
        gamut: [nil, .sRGB, .p3].randomElement(using: &random) ?? nil)
    }
  }

  /// A picked variant is usable.
  ///
  /// If no variant is picked, none is usable. Removing other variants does not change the pick.
  @Test func `picks are usable and stable`() throws {
    var random = SeededRandom(seed: 22)
    for _ in 0..<2000 {
      let variants = Self.randomVariants(&random)
      let device = try #require(DeviceClass.all.randomElement(using: &random))
      guard let pick = device.pick(from: variants) else {
        #expect(!variants.contains(where: device.canUse))
        continue
      }
      #expect(device.canUse(variants[pick]))
      let usable = variants.indices.filter { device.canUse(variants[$0]) }
      #expect(device.pick(from: usable.map { variants[$0] }).map { usable[$0] } == pick)
      let rest = variants.indices.filter { $0 == pick || Bool.random(using: &random) }
      #expect(device.pick(from: rest.map { variants[$0] }).map { rest[$0] } == pick)
    }
  }

  /// A device with more memory or a wider gamut can use every variant that a device with less memory or a
  /// narrower gamut can use.
  @Test func `more is never less`() {
    var random = SeededRandom(seed: 23)
    for first in DeviceClass.all {
      for second in DeviceClass.all
      where second.idiom == first.idiom && second.memory >= first.memory
        && (second.gamut == .p3 || first.gamut == .sRGB)
        && Set(first.graphics).isSubset(of: second.graphics)
      {
        for traits in Self.randomVariants(&random) where first.canUse(traits) {
          #expect(second.canUse(traits))
        }
      }
    }
  }

  @Test func `a phone drives a cars screen`() throws {
    let car = [Traits(idiom: .car, scale: 2), Traits(idiom: .car, scale: 3)]
    #expect(try #require(DeviceClass.named("iPhone17,1")).pick(from: car) == 1)
    #expect(try #require(DeviceClass.named("iPad7,7")).pick(from: car) == nil)
  }
}
