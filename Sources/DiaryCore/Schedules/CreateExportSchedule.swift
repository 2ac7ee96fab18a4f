import WireFormats

/// Adds a schedule to a member's account.
package struct CreateExportSchedule: Sendable {
    let store: any ExportScheduleStore
    let keys: DataKeys
    let zones: ZoneDatabase
    let clock: WallClock
    let writes: IdempotentWrites

    /// Schedules of one account: each makes exports, and exports take storage.
    package static let most = 10
    /// The time of day of a schedule that names none, in minutes: 06:00, as a mail about the night's entries wants it.
    static let minute = 6 * 60

    package func run(
        _ form: ScheduleForm, key: RequestKey = .none, by member: Member
    ) async throws(DiaryError) -> (value: ExportSchedule, replayed: Bool) {
        let id = ExportScheduleID(UUIDv7.make(at: clock.now()))
        return try await writes.run(.schedule, key, request: form.canon, subject: id.uuid, by: member) { claim throws(DiaryError) in
            try await create(id, form, claim, by: member)
        } replay: { known throws(DiaryError) in
            guard let schedule = try await store.schedule(ExportScheduleID(known.subject), of: member) else { throw .notFound }
            return try await schedule.opened(for: member, keys)
        }
    }

    private func create(
        _ id: ExportScheduleID, _ form: ScheduleForm, _ claim: KeyClaim?, by member: Member
    ) async throws(DiaryError) -> ExportSchedule {
        guard let every = form.every else { throw .invalid("/every", "is required") }
        // Again when another request came between: what it has left then says why this one cannot be.
        for _ in 0..<2 {
            let place = try await store.place(of: member)
            let timing = ScheduleTiming(every: every, weekday: nil, day: nil, month: nil, minute: Self.minute, timeZone: place.timeZone)
            let terms = try form.applied(
                to: ScheduleTerms(
                    timing: timing, covers: .changes, contents: ExportContents(), kind: nil, tags: [], keepLast: nil,
                    mail: place.addressIsProved))
            if terms.mail, !place.addressIsProved { throw DiaryError(.addressNotVerified) }
            guard place.schedules < Self.most else { throw DiaryError(.tooManySchedules) }
            guard let next = terms.timing.next(after: place.now, in: zones) else { throw .unknownZone }
            let tags = terms.tags.isEmpty ? nil : try SealedTags(terms.tags, try await keys.vault(of: member))
            let write = ScheduleWrite(id: id, terms: terms, tags: tags, nextAt: form.paused == true ? nil : next)
            guard let made = try await store.create(write, most: Self.most, claim: claim, by: member) else { continue }
            return try await made.opened(for: member, keys)
        }
        throw DiaryError(.concurrentChange, retryAfter: 1)
    }
}

extension DiaryError {
    static let unknownZone = DiaryError.invalid("/time_zone", "is not a zone of the zone database; one is Europe/Berlin")
}
