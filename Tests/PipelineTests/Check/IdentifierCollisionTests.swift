@testable import Formats
@testable import Model
@testable import Pipeline
import Support
import Testing

/// Tests tag sets that have the same identifier because one tag contains a colon.
@Suite struct IdentifierCollisionTests {
  @Test func `both sets and the place of the tag are named`() throws {
    let manifest = try #require(
      readManifest(
        """
        {
          "bundleIdentifier": "a",
          "resources": [
            { "path": "1", "tags": ["a", "b"] },
            { "path": "2", "tags": ["a:b"] }
          ]
        }
        """
      ).manifest)
    let plan = try makePlan([PlannedFile("1", ["a", "b"]), PlannedFile("2", ["a:b"])], manifest)
    #expect(
      collisions(in: plan).rendered == [
        #"5:29: error [identifier-collision] "a" "b" "a:b" "a.asset-pack-d8160c9b3dc20d4e931aeb4f45262155" ":""#
      ])
  }

  @Test(arguments: [
    [["a:b"], ["a", "b"]], [["a:b", "c"], ["a", "b:c"]], [["a:b:c"], ["a", "b", "c"]],
    [["a", "b:c"], ["a:b:c"]],
    [["a::b"], ["a:", "b"]],
  ])
  func `two sets with one identifier are found, in any order`(_ sets: [[String]]) throws {
    for sets in [sets, sets.reversed()] {
      let findings = collisions(in: try makePlan(of: sets))
      #expect(findings.map(\.check.id) == ["identifier-collision"])
      #expect(findings.map(\.severity) == [.error])
      #expect(sets.areAll { findings[0].message.names(setNotation($0)) })
    }
  }

  @Test func `three sets with one identifier are two collisions`() throws {
    let plan = try makePlan(of: [["a:b:c"], ["a", "b", "c"], ["a:b", "c"], ["x"]])
    #expect(plan.packs.count == 4)
    #expect(collisions(in: plan).count == 2)
  }

  @Test(arguments: [
    [["a:b"], ["a"], ["b"]], [["ab"], ["a", "b"]], [["a+b"], ["a", "b"]], [["a", "b"], ["a", "b", "c"]],
  ])
  func `sets with identifiers of their own are no collision`(_ sets: [[String]]) throws {
    #expect(collisions(in: try makePlan(of: sets)).isEmpty)
  }

  private func collisions(in plan: PackPlan) -> [Diagnostic] {
    PackCheck.identifierCollisions.find(PackCheck.Input(of: plan))
  }
}
