/// Changes a schedule: its terms, and whether it is paused.
package struct EditExportSchedule: Sendable {
    let store: any ExportScheduleStore
    let keys: DataKeys
    let zones: ZoneDatabase

    package enum Outcome: Sendable {
        case changed(ExportSchedule)
        case otherVersion(ExportSchedule)
    }

    /// Read and written again when another change comes between, which a client that names no version does not see.
    private static let tries = 16

    /// - Parameter versions: of which it must have one; nil for any.
    package func run(
        _ id: ExportScheduleID, _ form: ScheduleForm, matching versions: [Int64]?, by member: Member
    ) async throws(DiaryError) -> Outcome {
        for _ in 0..<Self.tries {
            guard let stored = try await store.schedule(id, of: member) else { throw .notFound }
            let old = try await stored.opened(for: member, keys)
            if let versions, !versions.contains(old.version) { return .otherVersion(old) }
            switch try await store.change(try await write(form, old, member), expecting: old.version, by: member) {
            case .written(let schedule): return .changed(try await schedule.opened(for: member, keys))
            case .addressNotVerified: throw DiaryError(.addressNotVerified)
            case .gone: throw .notFound
            case .otherVersion, .tooMany: continue
            }
        }
        throw DiaryError(.concurrentChange, retryAfter: 1)
    }

    private func write(_ form: ScheduleForm, _ old: ExportSchedule, _ member: Member) async throws(DiaryError) -> ScheduleWrite {
        // Written without them, the next export would hold everything.
        if old.sealedTags != nil, form.tags == nil { throw .invalid("/tags", "cannot be read any more: name them again") }
        let terms = try form.applied(to: old.terms)
        let tags = terms.tags.isEmpty ? nil : try SealedTags(terms.tags, try await keys.vault(of: member))
        let isPaused = form.paused ?? (old.pauseReason != nil)
        let resumes = form.paused == false && old.pauseReason != nil
        var run: ScheduleWrite.NextRun?
        if terms.timing != old.terms.timing || resumes {
            guard let times = terms.timing.times(zones) else { throw .unknownZone }
            let next = times.next(after: try await store.place(of: member).now)
            // One that has ended may be paused, resumed and moved to another hour. A new rule has a day to come, also that of a paused one.
            if next == nil, form.recurrence != nil || form.startsOn != nil { throw .neverRuns(form) }
            if !isPaused { run = next.map { .at($0) } ?? .ended }
        }
        if form.paused == true, old.pauseReason == nil { run = .paused }
        return ScheduleWrite(id: old.id, terms: terms, tags: tags, run: run)
    }
}
