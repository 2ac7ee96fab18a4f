/// Which engine made a text. Stored with the text.
package struct EngineReference: Sendable, Equatable {
    /// `EngineSettings.name`.
    package var name: String
    /// The model, as the engine itself names it, else as it was asked for.
    package var model: String?

    package init(name: String, model: String? = nil) {
        self.name = name
        self.model = model
    }

    /// As stored: the name, and the model behind a slash.
    package var text: String { model.map { "\(name)/\($0)" } ?? name }

    /// - Parameter text: as `text` writes it. A name has no slash.
    package init(text: String) {
        let parts = text.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
        self.init(name: parts.first.map(String.init) ?? "", model: parts.count == 2 ? String(parts[1]) : nil)
    }
}

/// What one call of an engine used.
package struct EngineUse: Sendable, Equatable {
    package var audioSeconds: Double = 0
    package var inputTokens: Int = 0
    package var outputTokens: Int = 0

    package init(audioSeconds: Double = 0, inputTokens: Int = 0, outputTokens: Int = 0) {
        self.audioSeconds = audioSeconds
        self.inputTokens = inputTokens
        self.outputTokens = outputTokens
    }

    package static func + (left: Self, right: Self) -> Self {
        Self(
            audioSeconds: left.audioSeconds + right.audioSeconds, inputTokens: left.inputTokens + right.inputTokens,
            outputTokens: left.outputTokens + right.outputTokens)
    }
}
