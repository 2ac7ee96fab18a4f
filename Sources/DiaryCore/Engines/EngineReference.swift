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
