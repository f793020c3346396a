import Play

/// The simulator's priority, where the library's has the same name.
typealias ModelPriority = LoadingPriority
