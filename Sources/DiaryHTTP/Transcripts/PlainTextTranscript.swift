extension TranscriptFormat {
    /// The words alone, as they are stored.
    static let plainText = TranscriptFormat(
        name: "txt", mediaType: "text/plain; charset=utf-8", fileExtension: "txt", renderer: .layer { _, text in text })
}
