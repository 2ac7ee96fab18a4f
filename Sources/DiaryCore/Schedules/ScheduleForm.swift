/// The body of a request about a schedule: all values of a new one, or the changes of an existing one.
package struct ScheduleForm: Sendable {
    package var every: ScheduleTiming.Every?
    package var weekday: ScheduleTiming.Weekday?
    package var day: Int?
    package var month: Int?
    /// The time of day, in minutes.
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

    /// Its members in one order, for the hash of a request.
    var canon: [String?] {
        let members: [String?] = [
            every?.rawValue, weekday?.rawValue, day.map { String($0) }, month.map { String($0) }, minute.map { String($0) }, timeZone,
            covers?.rawValue, includeAudio.map { String($0) }, formats?.map(\.rawValue).sorted().joined(separator: " "), layer?.rawValue,
            kind.applied(to: nil)?.rawValue, keepLast.applied(to: nil).map { String($0) }, mail.map { String($0) },
            paused.map { String($0) },
        ]
        return members + (tags ?? [])
    }

    /// The terms with what this form says.
    func applied(to old: ScheduleTerms) throws(DiaryError) -> ScheduleTerms {
        var terms = old
        terms.timing = try timing(changing: old.timing)
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

    /// What is left out stays; where `every` changes it is the first of the week, the month or the year.
    private func timing(changing old: ScheduleTiming) throws(DiaryError) -> ScheduleTiming {
        let every = every ?? old.every
        if weekday != nil, every != .week { throw .invalid("/weekday", "belongs to every week") }
        if day != nil, every != .month, every != .year { throw .invalid("/day", "belongs to every month or year") }
        if month != nil, every != .year { throw .invalid("/month", "belongs to every year") }
        let known = every == old.every ? old : nil
        return ScheduleTiming(
            every: every, weekday: every == .week ? weekday ?? known?.weekday ?? .monday : nil,
            day: every == .month || every == .year ? day ?? known?.day ?? 1 : nil,
            month: every == .year ? month ?? known?.month ?? 1 : nil, minute: minute ?? old.minute, timeZone: timeZone ?? old.timeZone)
    }
}
