/// An export that an administrator asks for.
package struct AdministeredExport: Sendable {
    package enum Outcome: String, Sendable, CaseIterable {
        case created
        /// The account is disabled or being erased, or its app is suspended.
        case closed
        case addressNotVerified = "address_not_verified"
    }

    package let id: ExportID
    package let from: CalendarDay
    package let to: CalendarDay
    /// nil: both.
    package let kind: EntryKind?
    package let contents: ExportContents
    package let maxDownloads: Int
    package let job: NewJob

    package init(
        id: ExportID, from: CalendarDay, to: CalendarDay, kind: EntryKind?, contents: ExportContents, maxDownloads: Int, job: NewJob
    ) {
        self.id = id
        self.from = from
        self.to = to
        self.kind = kind
        self.contents = contents
        self.maxDownloads = maxDownloads
        self.job = job
    }
}
