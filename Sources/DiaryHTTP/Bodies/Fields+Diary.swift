import DiaryCore
import FoundationEssentials
import WireFormats

/// Values that several operations take.
extension Fields {
    /// Required; nil when it was refused, and then `finish` throws.
    mutating func mailAddress(_ name: String) -> MailAddress? {
        let before = errors.count
        let text = requiredText(name, max: 320)
        guard errors.count == before else { return nil }
        guard let address = MailAddress(typed: text) else {
            refuse(name, "must be a mail address")
            return nil
        }
        return address
    }

    /// Required: eight digits.
    mutating func mailedCode(_ name: String) -> String {
        let before = errors.count
        let text = requiredText(name, max: 8)
        if errors.count == before, text.utf8.count != 8 || !text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) {
            refuse(name, "must be eight digits")
        }
        return text
    }

    /// A client's description of its device at sign-in. A device token that is not valid is not refused: it counts as none.
    mutating func signInDevice() -> SignInDevice {
        SignInDevice(name: spokenText("device", max: SignInFields.deviceLength), token: spokenText("device_token", max: 64))
    }

    /// The secret that the request for a code was answered with; nil when it was refused, and then `finish` throws.
    mutating func registration(_ name: String) -> Registration? {
        let before = errors.count
        let text = requiredText(name, max: 22)
        guard errors.count == before else { return nil }
        guard let registration = Registration(parsing: text) else {
            refuse(name, "must be the `request` that asking for the code was answered with")
            return nil
        }
        return registration
    }

    /// Checks the form of a name; whether the zone exists is checked by the database, which computes with it.
    mutating func timeZone(_ name: String) -> String? {
        guard let text = text(name, max: 64, min: 1) else { return nil }
        let zone = DeviceZone.name(text) ?? text
        guard Self.isTimeZone(zone) else {
            refuse(name, "must be a time zone name, e.g. Europe/Berlin")
            return nil
        }
        return zone
    }

    /// Of a change of an entry: a distance from UTC that no zone has changes nothing, and its words are not refused for it.
    mutating func changedZone(_ name: String) -> String? {
        if let text = value(name)?.string, DeviceZone.isDistance(text), DeviceZone.name(text) == nil { return nil }
        return timeZone(name)
    }

    /// As a device says it with what its user wants: one that nobody knows is as none, and nothing is refused for it.
    mutating func deviceZone(_ name: String) -> String? {
        guard let text = spokenText(name, max: 200) else { return nil }
        return DeviceZone.name(text).flatMap { Self.isTimeZone($0) ? $0 : nil }
    }

    /// As a device says it with what its user wants.
    mutating func deviceLanguage(_ name: String) -> String? { spokenText(name, max: 200).flatMap { DeviceLanguage($0).text } }

    /// A language tag of any platform in its common form: `en`, `de-CH`, `zh-Hant-TW` (BCP 47).
    mutating func languageTag(_ name: String) -> String? {
        guard let text = spokenText(name, max: 200) else { return nil }
        let language = DeviceLanguage(text)
        if language == .invalid { refuse(name, "must be a language tag, e.g. en or de-CH") }
        return language.text
    }

    /// Postgres reads a text that is no name as a POSIX rule, whose signs are reversed (`UTC+5` is in the west), or as a file of the zone
    /// database's folder. So digits and `+` are allowed only in the few names of the zone database that have them, and its other files are
    /// refused.
    static func isTimeZone(_ text: String) -> Bool {
        guard (2...64).contains(text.utf8.count) else { return false }
        if zonesWithDigits.contains(text) { return true }
        let words = text.utf8.split(omittingEmptySubsequences: false) {
            $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "_") || $0 == UInt8(ascii: "-")
        }
        guard words.allSatisfy({ !$0.isEmpty && $0.allSatisfy(isLetter) }) else { return false }
        let folded = text.lowercased()
        // Without a slash Postgres would also take abbreviations (`ist`, `BST`): fixed offsets, and not everywhere the same.
        guard folded.utf8.contains(UInt8(ascii: "/")) || zonesOfOneWord.contains(folded) else { return false }
        return !folded.hasPrefix("posix/") && !folded.hasPrefix("right/")
    }

    private static let zonesOfOneWord = Set([
        "cet", "cuba", "eet", "egypt", "eire", "est", "gb", "gb-eire", "gmt", "greenwich", "hongkong", "hst", "iceland", "iran", "israel",
        "jamaica", "japan", "kwajalein", "libya", "met", "mst", "navajo", "nz", "nz-chat", "poland", "portugal", "prc", "roc", "rok",
        "singapore", "turkey", "uct", "universal", "utc", "w-su", "wet", "zulu",
    ])

    private static let zonesWithDigits = Set(
        ["EST5EDT", "CST6CDT", "MST7MDT", "PST8PDT", "GMT0", "GMT+0", "GMT-0", "Etc/GMT0"] + (0...12).map { "Etc/GMT+\($0)" }
            + (0...14).map { "Etc/GMT-\($0)" })

    private static func isLetter(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte) || (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte)
    }
}
