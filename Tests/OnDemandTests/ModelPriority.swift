import Play

/// The simulator's priority type, under a different name than the priority type of the library.
typealias ModelPriority = LoadingPriority
