import ArgumentParser

/// Which `diary dev`. A group of options, which the command shares with its subcommands: an option of its own it would take for itself.
struct DevPlace: ParsableArguments {
    @Option(help: "Where state is kept.")
    var folder = ".diary"
}
