import DiaryCore
import FoundationEssentials
import HTTPTypes

/// The id of a request in answers and logs: the client's own when it is well-formed, otherwise a new UUIDv7.
enum RequestID {
    static func choose(_ headers: HTTPFields, at now: Date) -> String {
        guard let name = FieldNames.requestID else { return make(at: now) }
        let values = headers[values: name]
        guard values.count == 1, let value = values.first, isWellFormed(value) else { return make(at: now) }
        return value
    }

    static func make(at now: Date) -> String { UUIDv7.make(at: now).lowercaseText }

    /// `^[A-Za-z0-9._-]{8,64}$`.
    static func isWellFormed(_ text: String) -> Bool {
        (8...64).contains(text.utf8.count)
            && text.utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "0")...UInt8(ascii: "9"),
                    UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "-"):
                    true
                default: false
                }
            }
    }
}
