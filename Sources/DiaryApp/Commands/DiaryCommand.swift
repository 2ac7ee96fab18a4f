package import ArgumentParser
import DiaryCore
import DiaryDatabase
import Glibc

/// `diary`: every command of the service.
package struct DiaryCommand: AsyncParsableCommand {
    package static let configuration = CommandConfiguration(
        commandName: "diary", abstract: "The voice-diary backend: API, workers, migrations, tenants, accounts and keys.",
        discussion: "Settings come from the environment; `diary settings` lists them. `diary dev` needs none.",
        version: Version.text,
        subcommands: [
            DevCommand.self, ServeCommand.self, WorkCommand.self, MigrateCommand.self, TenantCommand.self, UserCommand.self,
            SessionCommand.self, EnginesCommand.self, JobsCommand.self, ExportsCommand.self, KeysCommand.self, SyncCommand.self,
            ObjectsCommand.self,
            RestoreCheckCommand.self,
            SettingsCommand.self, CheckCommand.self, MailCommand.self,
        ])

    package init() {}
}

extension DiaryCommand {
    /// Runs the command that the arguments name. Like `main()`, but a fault of the configuration ends with 78, by which a unit knows that
    /// starting again would not help (`RestartPreventExitStatus`).
    package static func start() async {
        do {
            try await execute(KeyIDArgument.separated(Array(CommandLine.arguments.dropFirst())))
        } catch  where isConfiguration(error) {
            let line = Array("Error: \(error)\n".utf8)
            _ = write(STDERR_FILENO, line, line.count)
            exit(withError: status(of: error))
        } catch let error as WrongArgument {
            let text = Array(error.text.utf8)
            _ = write(STDERR_FILENO, text, text.count)
            exit(withError: ExitCode.validationFailure)
        } catch {
            exit(withError: explained(error))
        }
    }

    private static func execute(_ arguments: [String]) async throws {
        var command = try parseAsRoot(arguments)
        let type = type(of: command)
        do {
            if var command = command as? any AsyncParsableCommand {
                try await command.run()
            } else {
                try command.run()
            }
        } catch let error as ValidationError {
            throw WrongArgument(text: text(of: error, in: type))
        }
    }

    /// The text that the parser prints when `validate()` refuses. When `run()` refuses, it would print the usage of `diary` itself.
    static func text(of error: ValidationError, in command: any ParsableCommand.Type) -> String {
        "Error: \(error.message)\nUsage: \(usageString(for: command))\n"
    }

    private struct WrongArgument: Error {
        let text: String
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

/// The id of a token key as an argument. It is base64url and may start with `-`, which the parser takes for options.
enum KeyIDArgument {
    /// - Returns: the arguments of `diary keys retire` with such an id at the end, behind `--`; all others as they are.
    static func separated(_ arguments: [String]) -> [String] {
        guard arguments.starts(with: ["keys", "retire"]), !arguments.contains("--"), let index = arguments.firstIndex(where: isDashed)
        else {
            return arguments
        }
        var others = arguments
        let id = others.remove(at: index)
        return others + ["--", id]
    }

    /// A SHA-256 in base64url has 43 characters.
    private static func isDashed(_ argument: String) -> Bool {
        argument.utf8.count == 43 && argument.hasPrefix("-")
            && argument.utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "0")...UInt8(ascii: "9"),
                    UInt8(ascii: "-"), UInt8(ascii: "_"):
                    true
                default: false
                }
            }
    }
}
