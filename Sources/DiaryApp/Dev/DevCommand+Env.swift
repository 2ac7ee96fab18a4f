import ArgumentParser

extension DevCommand {
    struct Env: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Prints the settings of a running `diary dev`, with which every other command reaches it.",
            discussion: """
                eval "$(diary dev env)"; diary tenant list

                Lines for a shell: export NAME='value'. Secrets are named by their files.
                """)

        @OptionGroup var options: DevOptions

        func run() throws { print(try DevEnvironment.read(DevFolder.absolute(options.folder)), terminator: "") }
    }
}
