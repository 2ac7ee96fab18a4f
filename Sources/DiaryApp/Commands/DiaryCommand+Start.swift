package import ArgumentParser
import DiaryCore
import DiaryDatabase
import Glibc

extension DiaryCommand {
    /// Runs the command that the arguments name. Like `main()`, but a fault of the configuration ends with 78, by which a unit knows that
    /// starting again would not help (`RestartPreventExitStatus`).
    package static func start() async {
        do {
            var command = try parseAsRoot(KeyIDArgument.separated(Array(CommandLine.arguments.dropFirst())))
            if var command = command as? any AsyncParsableCommand {
                try await command.run()
            } else {
                try command.run()
            }
        } catch  where isConfiguration(error) {
            let line = Array("Error: \(error)\n".utf8)
            _ = write(STDERR_FILENO, line, line.count)
            exit(withError: status(of: error))
        } catch {
            exit(withError: explained(error))
        }
    }

    /// 78 is EX_CONFIG of sysexits.h.
    static func status(of error: any Error) -> ExitCode { isConfiguration(error) ? ExitCode(78) : exitCode(for: error) }

    /// An older schema is none: it is migrated while the unit tries again.
    private static func isConfiguration(_ error: any Error) -> Bool {
        if case .otherFiles? = error as? MigrationError { return true }
        return error is SettingsError
    }

    /// Adds what to do, where an operator can do something.
    static func explained(_ error: any Error) -> any Error {
        guard let error = error as? DiaryError, let cause = error.cause else { return error }
        // SQLSTATE: undefined_table, undefined_column, undefined_function, invalid_schema_name.
        guard ["[42P01]", "[42703]", "[42883]", "[3F000]"].contains(where: { cause.contains($0) }) else { return error }
        return Explained(text: "the database has not this version's schema: run diary migrate up first (\(error))")
    }

    private struct Explained: Error, CustomStringConvertible {
        let text: String
        var description: String { text }
    }
}
