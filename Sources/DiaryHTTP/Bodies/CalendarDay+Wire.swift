import DiaryCore
import WireFormats

extension CalendarDay {
    /// A date, or the date of an RFC 3339 date-time as it is written, whatever its offset: clients generated from `format: date` send either.
    init?(wire text: String) {
        guard text.utf8.count > 10 else {
            self.init(text)
            return
        }
        guard RFC3339.parse(text) != nil else { return nil }
        self.init(text.prefix(10))
    }
}
