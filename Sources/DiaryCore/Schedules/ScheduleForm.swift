package import WireFormats

/// The body of a request about a schedule: all values of a new one, or the changes of an existing one.
package struct ScheduleForm: Sendable {
    /// A rule, or words that make one.
    package enum Recurrence: Sendable {
        case rule(RecurrenceRule)
        /// nil: as it is.
        case words(RecurrenceRule.Frequency?, weekday: SimpleRecurrence.Weekday?, day: Int?, month: Int?)
    }

    package var recurrence: Recurrence?
    package var startsOn: CalendarDay?
    package var hour: Int?
    package var minute: Int?
    /// nil for a new one: the account's.
    package var timeZone: String?
    package var covers: ScheduleCoverage?
    package var includeAudio: Bool?
    package var formats: Set<ExportFormat>?
    package var layer: ExportLayer?
    package var kind = Patch<EntryKind>.absent
    package var tags: [String]?
    package var keepLast = Patch<Int>.absent
    /// nil for a new one: when the account has a verified address.
    package var mail: Bool?
    package var paused: Bool?

    package init() {}

    /// - Parameter old: the rule that words are added to.
    func rule(changing old: RecurrenceRule?) throws(DiaryError) -> RecurrenceRule? {
        switch recurrence {
        case nil: return old
        case .rule(let rule): return rule
        case .words(let frequency, let weekday, let day, let month):
            var words: SimpleRecurrence
            if let frequency {
                words = SimpleRecurrence(frequency)
            } else if let known = old.flatMap({ SimpleRecurrence($0) }) {
                words = known
            } else {
                throw .invalid("/frequency", "is required with weekday, day and month")
            }
            if let weekday { words.weekday = weekday }
            if let day { words.day = day }
            if let month { words.month = month }
            do throws(SimpleRecurrenceError) { return try words.rule() } catch { throw .invalid("/\(error.member)", error.detail) }
        }
    }

    /// Its members in one order, for the hash of a request.
    var canon: [String?] {
        let recurrence: [String?] =
            switch recurrence {
            case nil: []
            case .rule(let rule): [rule.description]
            case .words(let frequency, let weekday, let day, let month):
                [frequency?.rawValue, weekday?.rawValue, day.map { String($0) }, month.map { String($0) }]
            }
        let members: [String?] = [
            startsOn?.description, hour.map { String($0) }, minute.map { String($0) }, timeZone, covers?.rawValue,
            includeAudio.map { String($0) }, formats?.map(\.rawValue).sorted().joined(separator: " "), layer?.rawValue,
            kind.applied(to: nil)?.rawValue, keepLast.applied(to: nil).map { String($0) }, mail.map { String($0) },
            paused.map { String($0) },
        ]
        return members + [String(recurrence.count)] + recurrence + (tags ?? [])
    }

    /// The terms with what this form says.
    func applied(to old: ScheduleTerms) throws(DiaryError) -> ScheduleTerms {
        var terms = old
        if let rule = try rule(changing: old.timing.rule) { terms.timing.rule = rule }
        if let startsOn { terms.timing.startsOn = startsOn }
        if let hour { terms.timing.hour = hour }
        if let minute { terms.timing.minute = minute }
        if let timeZone { terms.timing.timeZone = timeZone }
        if let covers { terms.covers = covers }
        if let includeAudio { terms.contents.includeAudio = includeAudio }
        if let formats { terms.contents.formats = formats }
        if let layer { terms.contents.layer = layer }
        terms.kind = kind.applied(to: old.kind)
        if let tags { terms.tags = tags }
        terms.keepLast = keepLast.applied(to: old.keepLast)
        if let mail { terms.mail = mail }
        return terms
    }
}
