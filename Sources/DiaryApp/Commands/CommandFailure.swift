/// Why a command with valid arguments failed: something does not exist, or its state forbids the command. Exit status 1, without a usage
/// text. `ValidationError`, with status 64 and a usage text, is for invalid arguments.
struct CommandFailure: Error, Equatable, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
}
