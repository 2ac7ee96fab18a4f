import ArgumentParser
import DiaryCore

/// Names one chain of engines.
struct ChainOptions: ParsableArguments {
    @Argument(help: "The tenant's slug.")
    var slug: String

    @Argument(help: "speech or text.")
    var stage: EngineStage
}
