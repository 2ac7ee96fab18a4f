package enum ExportStatus: String, Sendable, CaseIterable { case queued, building, ready, failed }
