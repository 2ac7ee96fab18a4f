/// One engine of a chain, as an operator has described it.
package struct EngineSettings: Sendable, Equatable {
    /// Unique among the app's engines of the stage: a letter, then up to 39 of `a-z`, `0-9` and `-`.
    package var name: String
    package var stage: EngineStage
    package var kind: EngineKind
    /// For `openai`: the base URL without a slash at its end, e.g. `https://api.openai.com/v1`.
    package var url: String?
    /// For `openai`: the model's name, as the server knows it.
    package var model: String?
    /// For `openai`: the name of the app's secret that is sent as bearer token; nil sends none.
    package var secret: String?
    /// For `command`: the program's absolute path, then its arguments.
    package var command: [String]
    /// Of one call; a program has more for a long recording (`timeLimit`).
    package var timeoutSeconds: Int
    /// Calls at once, in one worker process.
    package var slots: Int
    package var price: EnginePrice
    /// Of one recording that a speech engine takes; nil: any. Longer ones are heard in parts (`PartedSpeechEngine`).
    package var maxBytes: Int?
    /// Likewise, in seconds.
    package var maxSeconds: Int?
    /// What follows a failure that may pass (no answer, 429, 5xx): the next engine of the chain, or a later try of this one.
    package var afterFailure: AfterFailure

    /// The app whose engine it is; nil for the process's own, which all apps share.
    package var app: TenantID?
    /// Other settings or another secret have another one: what was learnt about an engine before does not count for it.
    package var revision: String?
    /// For `openai`: the server is the operator's own, so that no consent is asked for.
    package var isLocal: Bool

    package enum AfterFailure: String, Sendable, CaseIterable, Codable { case next, wait }

    /// OpenAI's limits of a recording: 25 MiB for all models, 1,400 s for `gpt-4o-transcribe`. Other servers took them over.
    package static let openAIBytes = 26_214_400
    package static let openAISeconds = 1_400

    /// - Parameters:
    ///   - maxBytes: left out, OpenAI's for a speech engine of kind `openai`; 0 for none.
    ///   - maxSeconds: likewise.
    package init(
        name: String, stage: EngineStage, kind: EngineKind, url: String? = nil, model: String? = nil, secret: String? = nil,
        command: [String] = [], timeoutSeconds: Int = 600, slots: Int = 4, price: EnginePrice = .free, maxBytes: Int? = nil,
        maxSeconds: Int? = nil, afterFailure: AfterFailure = .next, isLocal: Bool = false
    ) {
        self.name = name
        self.stage = stage
        self.kind = kind
        self.url = url
        self.model = model
        self.secret = secret
        self.command = command
        self.timeoutSeconds = timeoutSeconds
        self.slots = slots
        self.price = price
        let isLimited = stage == .speech && kind == .openai
        self.maxBytes = maxBytes == 0 ? nil : maxBytes ?? (isLimited ? Self.openAIBytes : nil)
        self.maxSeconds = maxSeconds == 0 ? nil : maxSeconds ?? (isLimited ? Self.openAISeconds : nil)
        self.afterFailure = afterFailure
        self.isLocal = isLocal
    }
}

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

/// The two stages whose work an engine does.
package enum EngineStage: String, Sendable, CaseIterable, Codable { case speech, text }

extension EngineSettings {
    /// Whether its calls carry words or recordings to another machine. Every server counts as one, whatever its address says, unless the operator
    /// has marked it: a name can lead elsewhere tomorrow, and a loopback address may be a proxy.
    package var leavesMachine: Bool { kind.isServer && !isLocal }
}

extension EngineSettings {
    /// Seconds that a program (`command`) has for each second of a recording, beside `timeoutSeconds`.
    package static let commandSecondsPerSecond = 2.0

    /// Seconds of one call. A program hears on this machine, at the pace of its processors, and by default the whole of any recording.
    /// - Parameter audioSeconds: of the recording, or of the part that is asked for.
    package func timeLimit(audioSeconds: Double) -> Double {
        guard kind == .command, audioSeconds.isFinite else { return Double(timeoutSeconds) }
        return Double(timeoutSeconds) + Self.commandSecondsPerSecond * max(0, audioSeconds)
    }
}
