/// What devices call a time zone, as a name of the zone database.
package enum DeviceZone {
    /// - Parameter text: `Europe/Berlin`, or a distance from UTC: `GMT+05:30` of Java, `GMT+0530` of Swift, `+02:00`, `Z`.
    /// - Returns: nil for what names no zone: `Etc/Unknown`, `localtime`, an abbreviation that several zones have.
    package static func name(_ text: String) -> String? {
        var text = text.drop { $0.isWhitespace }
        while text.last?.isWhitespace == true { text.removeLast() }
        let folded = text.lowercased()
        guard folded != "factory", folded != "localtime", folded != "posixrules" else { return nil }
        if let minutes = minutes(folded) { return zone(minutes) }
        return ZoneDatabase.spelling(of: String(text))
    }

    /// Whether it is a distance from UTC, of any zone.
    package static func isDistance(_ text: String) -> Bool { minutes(text.lowercased()) != nil }

    /// East of UTC.
    private static func minutes(_ text: String) -> Int? {
        if text == "z" { return 0 }
        // In `Etc/GMT+5` and `GMT+0` of the database plus is west.
        let start = ["gmt", "utc", "utc ", "gmt ", ""].filter { text.hasPrefix($0) }.max { $0.count < $1.count } ?? ""
        var rest = text.dropFirst(start.count).replacing("\u{2212}", with: "-")[...]
        guard let sign = rest.popFirst(), sign == "+" || sign == "-" else { return nil }
        let digits = rest.filter { $0 != ":" }
        guard digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }), rest.count - digits.count <= 1, let number = Int(digits) else {
            return nil
        }
        let (hours, minutes) =
            switch digits.count {
            case 1, 2: (number, 0)
            case 3, 4: (number / 100, number % 100)
            default: (99, 0)
            }
        guard hours <= 14, minutes < 60 else { return nil }
        return (sign == "+" ? 1 : -1) * (60 * hours + minutes)
    }

    /// A zone that is always so far from UTC.
    private static func zone(_ minutes: Int) -> String? {
        if minutes == 0 { return "UTC" }
        // The signs are reversed in these names.
        if minutes % 60 == 0 { return (-12...14).contains(minutes / 60) ? "Etc/GMT\(minutes > 0 ? "-" : "+")\(abs(minutes / 60))" : nil }
        return constant[minutes]
    }

    /// Zones without whole hours and without summer time.
    private static let constant = [
        210: "Asia/Tehran", 270: "Asia/Kabul", 330: "Asia/Kolkata", 345: "Asia/Kathmandu", 390: "Asia/Yangon", 525: "Australia/Eucla",
        570: "Australia/Darwin", -570: "Pacific/Marquesas",
    ]
}
