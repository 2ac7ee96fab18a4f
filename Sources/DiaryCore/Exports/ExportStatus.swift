/// `revoked` and `expired` are what the row's times say, whatever else it was.
package enum ExportStatus: String, Sendable, CaseIterable { case queued, building, ready, failed, revoked, expired }
