/// When an account wants to be reminded of its diary. Kept for all of its devices, which ring; the service does nothing at that time.
package struct Reminder: Sendable, Equatable, Codable {
    /// Minutes after midnight, by the clock of the device.
    package var minute: Int
    package var days: [ScheduleTiming.Weekday]
    package var enabled: Bool

    package init(minute: Int, days: [ScheduleTiming.Weekday], enabled: Bool) {
        self.minute = minute
        // In the order of the week, each once.
        self.days = ScheduleTiming.Weekday.allCases.filter { days.contains($0) }
        self.enabled = enabled
    }

    /// Of an account that has set none.
    package static let standard = Reminder(minute: 20 * 60, days: ScheduleTiming.Weekday.allCases, enabled: false)
}

extension ScheduleTiming.Weekday: Codable {}

extension Vault.Part {
    /// JSON.
    package static let reminder = Vault.Part(name: "reminder", table: "users")
}

/// Sealed: when somebody writes says something of their life, and the service neither sorts nor selects by it.
extension Vault {
    func sealed(reminder: Reminder) throws(DiaryError) -> [UInt8] { try seal(reminder, as: .reminder, row: owner.user.uuid) }

    func reminder(_ sealed: [UInt8]?) throws(DiaryError) -> Reminder {
        guard let sealed else { return .standard }
        return try open(Reminder.self, sealed, as: .reminder, row: owner.user.uuid)
    }
}
