/// A time in subtitles: `00:01:02,345` in SubRip, `00:01:02.345` in WebVTT.
enum CueTime {
    static func text(_ milliseconds: Int, fraction mark: String) -> String {
        let (seconds, rest) = milliseconds.quotientAndRemainder(dividingBy: 1_000)
        let clock = [seconds / 3_600, seconds / 60 % 60, seconds % 60].map { padded($0, to: 2) }.joined(separator: ":")
        return clock + mark + padded(rest, to: 3)
    }

    private static func padded(_ number: Int, to count: Int) -> String {
        let digits = String(number)
        return String(repeating: "0", count: max(0, count - digits.utf8.count)) + digits
    }
}
