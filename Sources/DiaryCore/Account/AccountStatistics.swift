/// What a diary holds: texts, and recordings that have arrived. Recordings that wait for their upload, expired, or failed their check
/// do not count.
package struct AccountStatistics: Sendable, Equatable {
    /// Newest first, those with entries only; by the days of the diary (`EntryFacts.day`).
    package var months: [Month]
    package var usage: AccountUsage = AccountUsage()
    /// The limits that the app sets.
    package var limits: UsageLimits = UsageLimits()
    package var streak: Streak = Streak()

    package init(
        months: [Month], usage: AccountUsage = AccountUsage(), limits: UsageLimits = UsageLimits(), streak: Streak = Streak()
    ) {
        self.months = months
        self.usage = usage
        self.limits = limits
        self.streak = streak
    }

    package var total: Counts { months.reduce(Counts()) { $0 + $1.counts } }
}

extension AccountStatistics {
    /// Days in a row with an entry that counts, by the days of the diary.
    package struct Streak: Sendable, Equatable {
        /// Up to the member's today, or to yesterday while today has no entry.
        package var current: Int = 0
        package var longest: Int = 0

        package init(current: Int = 0, longest: Int = 0) {
            self.current = current
            self.longest = longest
        }
    }

    package struct Month: Sendable, Equatable {
        package var year: Int
        /// 1 to 12.
        package var month: Int
        package var counts: Counts

        package init(year: Int, month: Int, counts: Counts) {
            self.year = year
            self.month = month
            self.counts = counts
        }

        /// `YYYY-MM`.
        package var name: String { String(LocalTime(year: year, month: month, day: 1, hour: 0, minute: 0, second: 0).date.dropLast(3)) }
    }

    package struct Counts: Sendable, Equatable {
        package var recordings: Int64 = 0
        package var texts: Int64 = 0
        package var durationSeconds: Double = 0
        package var sizeBytes: Int64 = 0

        package init(recordings: Int64 = 0, texts: Int64 = 0, durationSeconds: Double = 0, sizeBytes: Int64 = 0) {
            self.recordings = recordings
            self.texts = texts
            self.durationSeconds = durationSeconds
            self.sizeBytes = sizeBytes
        }

        package var entries: Int64 { recordings + texts }

        static func + (a: Self, b: Self) -> Self {
            Self(
                recordings: a.recordings + b.recordings, texts: a.texts + b.texts, durationSeconds: a.durationSeconds + b.durationSeconds,
                sizeBytes: a.sizeBytes + b.sizeBytes)
        }
    }
}
