import Play

/// The simulator's priority type, with a name that differs from the name of the library's type.
typealias ModelPriority = LoadingPriority
