/// The documentation of a setting. Texts are Markdown of one line; outside Markdown their backticks are left out.
struct SettingDeclaration: Sendable {
    enum Fallback: Sendable {
        case required
        /// A text that could be set.
        case value(String)
        /// What happens without it, in words.
        case words(String)
    }

    enum Secrecy: String, Sendable {
        case open = ""
        case withPassword = "if it has a password"
        case secret = "yes"
    }

    /// How `.env.example` shows it.
    enum Example: Sendable {
        /// As an active line.
        case set(String)
        /// As a comment.
        case comment(String)
        /// As a comment, read from a file.
        case file(String)
    }

    let name: String
    /// The form that its text must have.
    let form: String
    let fallback: Fallback
    let secrecy: Secrecy
    let meaning: String
    /// nil: a comment with the default.
    let example: Example?
}
