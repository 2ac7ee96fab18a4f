package import FoundationEssentials

/// Reads the entries of one day of the year, of all years, newest first.
package struct ReadOnThisDay: Sendable {
    let entries: any EntryStore
    let keys: DataKeys
    let clock: WallClock

    /// - Parameter day: nil for the member's own today.
    package func run(
        _ day: DayOfYear?, after: DatePosition?, limit: Int, for member: Member
    ) async throws(DiaryError) -> ReadEntries.Listing {
        let query = OnThisDayQuery(day: day, now: clock.now(), after: after, limit: limit)
        let page = try await entries.onThisDay(query, of: member)
        let next = page.more ? page.entries.last?.facts : nil
        return ReadEntries.Listing(
            entries: try await keys.vault(of: member).open(page.entries),
            next: next.map { DateCursor(position: DatePosition(recordedAt: $0.recordedAt, id: $0.id)).text })
    }
}

/// Which entries `ReadOnThisDay` asks for, by `EntryFacts.day`.
package struct OnThisDayQuery: Sendable {
    /// nil: the day that it is at `now` for the member, by their time zone and `day_ends_at`. On 28 February of a year without a 29th that is
    /// both days.
    package var day: DayOfYear?
    package var now: Date
    package var after: DatePosition?
    package var limit: Int

    package init(day: DayOfYear?, now: Date, after: DatePosition? = nil, limit: Int) {
        self.day = day
        self.now = now
        self.after = after
        self.limit = limit
    }
}

/// A day of every year, or, as 29 February, of some.
package struct DayOfYear: Sendable, Equatable {
    package let month, day: Int

    /// - Parameter text: `MM-DD`.
    package init?(_ text: String) {
        // Of a leap year, which has every day.
        guard let date = CalendarDay("2024-\(text)") else { return nil }
        (month, day) = (date.month, date.day)
    }
}
