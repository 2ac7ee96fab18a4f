/// How an engine is called. Stored; never changes.
package enum EngineKind: String, Sendable, CaseIterable, Codable {
    /// The programs and rules that come with the service.
    case local
    /// A server that answers OpenAI's `/audio/transcriptions` or `/chat/completions`.
    case openai
    /// A program that the operator names, run in the sandbox.
    case command

    /// Whether its calls go to a server.
    package var isServer: Bool {
        switch self {
        case .openai: true
        case .local, .command: false
        }
    }
}
