import DiaryCore

/// The forms that `DiaryCore` renders, for exports too.
extension TranscriptFormat {
    /// The words alone, as they are stored.
    static let plainText = TranscriptFormat(
        name: "txt", mediaType: "text/plain; charset=utf-8", fileExtension: "txt", renderer: .layer { _, text in text })

    /// Media type of RFC 7763.
    static let markdown = TranscriptFormat(
        name: "md", mediaType: "text/markdown; charset=utf-8", fileExtension: "md",
        renderer: .layer { MarkdownTranscript.text($0, words: $1) })

    /// SubRip has no specification and no registered media type; this one is of the freedesktop.org database.
    static let subRip = TranscriptFormat(
        name: "srt", mediaType: "application/x-subrip; charset=utf-8", fileExtension: "srt",
        renderer: .segments { Array(SubRipTranscript.text(Cue.cues(of: $1, labels: $0.speakerLabels, asWords: true)).utf8) })

    static let webVTT = TranscriptFormat(
        name: "vtt", mediaType: "text/vtt; charset=utf-8", fileExtension: "vtt",
        renderer: .segments { Array(WebVTTTranscript.text(Cue.cues(of: $1, labels: $0.speakerLabels)).utf8) })

    static let meetingRecorder = TranscriptFormat(
        name: "v1.json", mediaType: "application/json", fileExtension: "json",
        renderer: .segments { MeetingRecorderTranscript.document($0.entry.facts.id, $1) })
}
