/// What the owner of a schedule decides.
package struct ScheduleTerms: Sendable, Equatable {
    package var timing: ScheduleTiming
    package var covers: ScheduleCoverage
    package var contents: ExportContents
    /// nil: both.
    package var kind: EntryKind?
    /// Tags that an entry must have, all of them.
    package var tags: [String]
    /// How many of its exports stay when a newer one becomes ready; nil: as long as any export does.
    package var keepLast: Int?
    package var mail: Bool
}
