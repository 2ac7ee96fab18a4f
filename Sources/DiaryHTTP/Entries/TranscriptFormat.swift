enum TranscriptFormat: String, Sendable, CaseIterable { case json, txt }
