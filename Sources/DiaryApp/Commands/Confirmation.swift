import ArgumentParser

/// `--yes` of every command that destroys something.
struct Confirmation: ParsableArguments {
    @Flag(help: "Confirms what cannot be undone.")
    var yes = false

    /// - Parameter words: the options to repeat the command with.
    func require(_ words: String = "--yes") throws(CommandFailure) {
        guard yes else { throw CommandFailure("this cannot be undone: repeat it with \(words)") }
    }
}
