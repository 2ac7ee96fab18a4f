package enum ExportMailStatus: String, Sendable, CaseIterable { case waiting, sent, failed }
