package struct NewExport: Sendable {
    package var id: ExportID
    package var from: CalendarDay
    package var to: CalendarDay
    /// nil: the member's own zone.
    package var timeZone: String?
    package var includeAudio: Bool
    package var maxDownloads: Int
    package var job: NewJob
    package var requestHash: [UInt8]
    package var idempotencyHash: [UInt8]?
    /// For the event.
    package var requestID: String?

    package init(
        id: ExportID, from: CalendarDay, to: CalendarDay, timeZone: String?, includeAudio: Bool, maxDownloads: Int, job: NewJob,
        requestHash: [UInt8],
        idempotencyHash: [UInt8]?, requestID: String? = nil
    ) {
        self.id = id
        self.from = from
        self.to = to
        self.timeZone = timeZone
        self.includeAudio = includeAudio
        self.maxDownloads = maxDownloads
        self.job = job
        self.requestHash = requestHash
        self.idempotencyHash = idempotencyHash
        self.requestID = requestID
    }
}
