import Play

/// The simulator's priority, under a name that differs from the library's type.
typealias ModelPriority = LoadingPriority
