/// Explicit stable names: they are stored in the database and in Redis.
package enum JobKind: String, Sendable, CaseIterable {
    case verify, transcribe, clean, export, mail
}
