package enum EntryKind: String, Sendable, CaseIterable { case voice, text }
