package struct NewExport: Sendable {
    package var id: ExportID
    package var selection: RequestedSelection
    /// The sealed tags of the selection; nil without any.
    package var tags: SealedTags?
    package var contents: ExportContents
    package var maxDownloads: Int
    package var job: NewJob
    package var requestHash: [UInt8]
    package var idempotencyHash: [UInt8]?
    /// For the event.
    package var requestID: String?
    /// nil: mailed if the account has a verified address by then.
    package var mail: Bool?
    /// False when only an earlier request's export may be the answer.
    package var mayCreate = true
}
