extension Patch<String> {
    /// A text without blanks at its ends; one of blanks alone clears.
    var trimmed: Patch<String> {
        guard case .set(let text) = self else { return self }
        let trimmed = SingleLine.trimmed(text)
        return trimmed.isEmpty ? .clear : .set(trimmed)
    }
}
