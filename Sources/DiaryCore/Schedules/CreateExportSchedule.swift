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
    /// The hour of a schedule that names none, as a mail about the night's entries wants it.
    static let hour = 6

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
        guard let rule = try form.rule(changing: nil) else { throw .invalid("/frequency", "is required, unless there is an rrule") }
        let place = try await store.place(of: member)
        let zone = form.timeZone ?? place.timeZone
        guard let clock = zones.zone(zone) else { throw .unknownZone }
        let (hour, minute) = (form.hour ?? Self.hour, form.minute ?? 0)
        let (today, now) = clock.dayAndSecond(at: place.now)
        let isAhead = now < hour * 3600 + minute * 60
        let timing = ScheduleTiming(
            rule: rule, startsOn: form.startsOn ?? CalendarDay(isAhead ? today : today.next), hour: hour, minute: minute, timeZone: zone)
        let terms = try form.applied(
            to: ScheduleTerms(
                timing: timing, covers: .all, contents: ExportContents(), kind: nil, tags: [], keepLast: nil, mail: place.addressIsProved))
        guard let next = timing.times(zones)?.next(after: place.now) else { throw .neverRuns(form) }
        let tags = terms.tags.isEmpty ? nil : try SealedTags(terms.tags, try await keys.vault(of: member))
        let write = ScheduleWrite(id: id, terms: terms, tags: tags, run: form.paused == true ? .paused : .at(next))
        switch try await store.create(write, most: Self.most, claim: claim, by: member) {
        case .written(let schedule): return try await schedule.opened(for: member, keys)
        case .tooMany: throw DiaryError(.tooManySchedules)
        case .addressNotVerified: throw DiaryError(.addressNotVerified)
        case .otherVersion, .gone: throw DiaryError(.concurrentChange, retryAfter: 1)
        }
    }
}

extension DiaryError {
    static let unknownZone = DiaryError.invalid("/time_zone", "is not a zone of the zone database; one is Europe/Berlin")

    static func neverRuns(_ form: ScheduleForm) -> DiaryError {
        if case .rule? = form.recurrence { return .invalid("/rrule", "has no day to come") }
        return .invalid("/starts_on", "leaves no day to come")
    }
}
