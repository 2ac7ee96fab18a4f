import ArgumentParser

extension DevCommand {
    struct Env: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Prints the settings of a running `diary dev`, with which every other command reaches it.",
            discussion: """
                eval "$(diary dev env)"; diary tenant list

                Lines for a shell: export NAME='value'. Secrets are named by their files.
                """)

        @Option(help: "The folder of the `diary dev`.")
        var folder = ".diary"

        func run() throws { print(try DevEnvironment.read(DevFolder.absolute(folder)), terminator: "") }
    }
}
