import DiaryCore

/// What the placeholders of one mail stand for.
struct MailValues {
    var texts: [MailPlaceholder: String] = [:]
    var numbers: [MailPlaceholder: Int] = [:]
    /// The language of the words; nil for one that the service does not write: its plural is that of most.
    var language: WrittenLanguage?

    private func isOne(_ number: Int) -> Bool { language?.isOne(number) ?? (number == 1) }

    func number(_ name: MailPlaceholder, one: String, other: String) -> String? {
        numbers[name].map { (isOne($0) ? one : other).replacing("#", with: String($0)) }
    }

    /// In one line; nil when a value is missing.
    func text(_ pieces: [MailTemplate.Piece]) -> String? {
        var text = ""
        for piece in pieces {
            let part: String? =
                switch piece {
                case .text(let part): part
                case .value(let name): texts[name]
                case .number(let name, let one, let other): number(name, one: one, other: other)
                case .link(let name, _): texts[name]
                }
            guard let part else { return nil }
            text += part
        }
        return text
    }

    /// nil when a value is missing: the paragraph is left out.
    func paragraph(_ pieces: [MailTemplate.Piece]) -> MailParagraph? {
        guard let text = text(pieces) else { return nil }
        switch pieces.first {
        case .value(.code): return .code(text)
        case .link(.unsubscribe, let label): return .smallLink(text, label: label)
        case .link(_, let label): return .link(text, label: label)
        default: return .words(text)
        }
    }
}
