/// What the listing returns of one day of the diary.
package struct DayCount: Sendable, Equatable {
    package var day: CalendarDay
    package var entries: Int64
    package var recordings: Int64
    package var durationSeconds: Double

    package init(day: CalendarDay, entries: Int64, recordings: Int64, durationSeconds: Double) {
        self.day = day
        self.entries = entries
        self.recordings = recordings
        self.durationSeconds = durationSeconds
    }
}
