/// Changes a schedule: its terms, and whether it is paused.
package struct EditExportSchedule: Sendable {
    let store: any ExportScheduleStore
    let keys: DataKeys
    let zones: ZoneDatabase

    package enum Outcome: Sendable {
        case changed(ExportSchedule)
        case otherVersion(ExportSchedule)
    }

    /// Read and written again when a run or another change comes between, which a client that names no version does not see.
    private static let tries = 16

    /// - Parameter versions: of which it must have one; nil for any.
    package func run(
        _ id: ExportScheduleID, _ form: ScheduleForm, matching versions: [Int64]?, by member: Member
    ) async throws(DiaryError) -> Outcome {
        for _ in 0..<Self.tries {
            guard let stored = try await store.schedule(id, of: member) else { throw .notFound }
            let old = try await stored.opened(for: member, keys)
            if let versions, !versions.contains(old.version) { return .otherVersion(old) }
            guard let changed = try await store.change(try await write(form, old, member), from: old, by: member) else { continue }
            return .changed(try await changed.opened(for: member, keys))
        }
        throw DiaryError(.concurrentChange, retryAfter: 1)
    }

    private func write(_ form: ScheduleForm, _ old: ExportSchedule, _ member: Member) async throws(DiaryError) -> ScheduleWrite {
        // Written without them, the next export would hold everything.
        if old.sealedTags != nil, form.tags == nil { throw .invalid("/tags", "cannot be read any more: name them again") }
        let terms = try form.applied(to: old.terms)
        let place = try await store.place(of: member)
        // Without an address one that sends mails already may still be changed.
        if terms.mail, !old.terms.mail, !place.addressIsProved { throw DiaryError(.addressNotVerified) }
        let tags = terms.tags.isEmpty ? nil : try SealedTags(terms.tags, try await keys.vault(of: member))
        let isPaused = form.paused ?? (old.nextAt == nil)
        var nextAt = old.nextAt
        if terms.timing != old.terms.timing || nextAt == nil && !isPaused {
            nextAt = terms.timing.next(after: place.now, in: zones)
            guard nextAt != nil else { throw .unknownZone }
        }
        return ScheduleWrite(id: old.id, terms: terms, tags: tags, nextAt: isPaused ? nil : nextAt)
    }
}
