import FoundationEssentials
import WireFormats

/// The system's zone database (tzdata), for times that people read. What is stored and compared is computed by Postgres.
package struct ZoneDatabase: Sendable {
    package static let system = ZoneDatabase(folder: "/usr/share/zoneinfo")

    let folder: String

    /// Seconds east of UTC; nil when the zone is not there.
    func offset(of zone: String, at date: Date) -> Int? {
        // No other file than one of the folder.
        let isName = zone.utf8.allSatisfy { byte in
            (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte) || "/_+-".utf8.contains(byte)
        }
        guard isName, !zone.isEmpty, !zone.hasPrefix("/"), let data = FileManager.default.contents(atPath: "\(folder)/\(zone)") else {
            return nil
        }
        return ZoneFile([UInt8](data))?.offset(at: Int(date.timeIntervalSince1970.rounded(.down)))
    }
}
