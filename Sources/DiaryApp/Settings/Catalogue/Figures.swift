/// Writes numbers for tables and settings.
enum Figures {
    /// With commas between thousands.
    static func text(_ number: Int) -> String {
        let digits = Array(String(number.magnitude))
        var grouped = number < 0 ? "-" : ""
        for (index, digit) in digits.enumerated() {
            if index > 0, (digits.count - index).isMultiple(of: 3) { grouped += "," }
            grouped.append(digit)
        }
        return grouped
    }

    /// Whole numbers without a point.
    static func text(_ number: Double) -> String { Int(exactly: number).map { text($0) } ?? String(number) }

    /// The number as it would be written into a setting.
    static func plain(_ number: Double) -> String { Int(exactly: number).map { String($0) } ?? String(number) }
}
