/// What can be wrong with the packs of a plan.
extension Check {
  static let packChecks: [Check] = [identifierCollision]

  static let identifierCollision = error(
    "identifier-collision", "two tag sets make one pack identifier",
    "Xcode's rule joins sorted tags with a colon, so {\"a:b\"} and {\"a\", \"b\"} cannot be told apart. Take the "
      + "colon out of the tag.")
}
