/// Why a command that was written correctly could not do what it was asked: something is not there, or its state forbids it. Ends with 1
/// and without a usage text; `ValidationError`, which ends with 64 and has one, is for arguments that cannot be right.
struct CommandFailure: Error, Equatable, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
}
