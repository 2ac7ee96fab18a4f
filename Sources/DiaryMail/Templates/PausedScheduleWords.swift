import DiaryCore

/// Why a schedule has paused itself, as its owner is told, in one language. What helps is in the words of the mail, and here where it differs.
struct PausedScheduleWords: Sendable {
    var exportsFailed: String
    var notMade: String
    var timeZoneUnknown: String

    static func of(_ language: WrittenLanguage) -> PausedScheduleWords {
        switch language {
        case .en: english
        case .de: german
        case .es: spanish
        case .fr: french
        }
    }

    /// - Parameter fault: nil when it is not known any more.
    func reason(_ fault: ScheduleFault?) -> String {
        switch fault {
        case .timeZoneUnknown: timeZoneUnknown
        case .notMade: notMade
        // Too many exports in a day pause none.
        case .exportsFailed, .tooManyExports, nil: exportsFailed
        }
    }

    private static let english = PausedScheduleWords(
        exportsFailed: "Its last exports have all failed.",
        notMade: "For hours none of its exports could be started, although it was tried again and again.",
        timeZoneUnknown:
            "Its time zone is not known to us any more, so we cannot tell when it is due. Choose another one before you resume it.")

    private static let german = PausedScheduleWords(
        exportsFailed: "Seine letzten Exporte sind alle fehlgeschlagen.",
        notMade: "Stundenlang ließ sich keiner seiner Exporte beginnen, obwohl es immer wieder versucht wurde.",
        timeZoneUnknown:
            "Seine Zeitzone ist uns nicht mehr bekannt; deshalb wissen wir nicht, wann er fällig ist. Wähle eine andere, bevor du ihn fortsetzt."
    )

    private static let spanish = PausedScheduleWords(
        exportsFailed: "Sus últimas exportaciones han fallado todas.",
        notMade: "Durante horas no se ha podido empezar ninguna de sus exportaciones, aunque se ha intentado una y otra vez.",
        timeZoneUnknown:
            "Ya no conocemos su zona horaria, así que no sabemos cuándo hay que hacerlas. Elige otra antes de reanudar la programación.")

    private static let french = PausedScheduleWords(
        exportsFailed: "Ses derniers exports ont tous échoué.",
        notMade: "Pendant des heures, aucun de ses exports n’a pu commencer, malgré de nombreux essais.",
        timeZoneUnknown:
            "Nous ne connaissons plus son fuseau horaire et ne savons donc pas quand les faire. Choisissez-en un autre avant de la reprendre."
    )
}
