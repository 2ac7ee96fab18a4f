import ArgumentParser

/// The options that `diary dev` shares with its subcommands. A group: an option declared by the command itself would not reach a subcommand.
struct DevOptions: ParsableArguments {
    @Option(help: "Where state is kept.")
    var folder = ".diary"
}
