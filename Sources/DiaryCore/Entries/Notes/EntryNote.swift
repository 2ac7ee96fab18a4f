package import FoundationEssentials

/// A remark of the owner beside an entry's text, such as one that was written down during a meeting.
package struct EntryNote: Sendable, Equatable {
    /// Of an entry.
    package static let most = 100
    /// Unicode code points.
    package static let length = 2_000
    /// Deleted notes of an entry that are remembered.
    static let deleted = 100
    /// Seconds from the start of a recording.
    package static let times: ClosedRange<Double> = 0...1_000_000

    package let id: NoteID
    package var text: String
    /// Seconds from the start of the recording, kept to a millisecond; nil: of the whole entry.
    package var at: Double?
    /// Kept to a millisecond.
    package let createdAt: Date

    package init(id: NoteID, text: String, at: Double?, createdAt: Date) {
        self.id = id
        self.text = text
        self.at = at.map { Self.seconds(Self.milliseconds($0)) }
        self.createdAt = Date(timeIntervalSince1970: Self.seconds(Self.milliseconds(createdAt.timeIntervalSince1970)))
    }

    private static func milliseconds(_ seconds: Double) -> Int64 { Int64(exactly: (seconds * 1_000).rounded()) ?? 0 }

    private static func seconds(_ milliseconds: Int64) -> Double { Double(milliseconds) / 1_000 }

    /// As it is sealed: id, creation and place in milliseconds (`-` without a place), each followed by a blank, and the text.
    var stored: String {
        let place = at.map { String(Self.milliseconds($0)) } ?? "-"
        return "\(id) \(Self.milliseconds(createdAt.timeIntervalSince1970)) \(place) \(text)"
    }

    init?(stored: String) {
        // By code points: a text that begins with a combining mark makes one character with the blank before it.
        let parts = stored.unicodeScalars.split(separator: " ", maxSplits: 3, omittingEmptySubsequences: false).map(Substring.init)
        // Numbers that a time in milliseconds keeps exactly.
        guard parts.count == 4, let id = NoteID(parts[0]), let created = Int64(parts[1]), created.magnitude < 1 << 46 else { return nil }
        let at = Int64(parts[2])
        guard at.map({ (0..<1 << 46).contains($0) }) ?? (parts[2] == "-") else { return nil }
        self.init(
            id: id, text: String(parts[3]), at: at.map { Self.seconds($0) }, createdAt: Date(timeIntervalSince1970: Self.seconds(created)))
    }
}

package enum Notes {}
package typealias NoteID = ID<Notes>

extension EntryNote {
    /// `1:02:05` or `0:42`: where it belongs in the recording; nil: to the whole entry.
    package var place: String? {
        guard let at else { return nil }
        let whole = Int(min(max(at, 0), Self.times.upperBound))
        func two(_ number: Int) -> String { number < 10 ? "0\(number)" : String(number) }
        let (hours, minutes) = (whole / 3_600, whole / 60 % 60)
        return (hours > 0 ? "\(hours):\(two(minutes))" : String(minutes)) + ":\(two(whole % 60))"
    }

    /// In one line, after its place in the recording.
    package var line: String { (place.map { "\($0) " } ?? "") + SingleLine.text(text) }
}

extension PersonalPart {
    /// In the order of the recording, those of the whole entry after them; else in that of their creation.
    package var orderedNotes: [EntryNote] {
        notes.sorted { ($0.at ?? .infinity, $0.createdAt, $0.id.description) < ($1.at ?? .infinity, $1.createdAt, $1.id.description) }
    }
}
