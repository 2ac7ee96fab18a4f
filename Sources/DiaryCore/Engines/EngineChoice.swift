/// The engines that an account has chosen, by name. A name that the app's chain does not have counts as none.
package struct EngineChoice: Sendable, Equatable {
    package var speech: String? = nil
    package var text: String? = nil

    package init(speech: String? = nil, text: String? = nil) {
        self.speech = speech
        self.text = text
    }

    package subscript(stage: EngineStage) -> String? {
        switch stage {
        case .speech: speech
        case .text: text
        }
    }
}
