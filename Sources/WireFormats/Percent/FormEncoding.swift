/// `application/x-www-form-urlencoded` (WHATWG URL, section 5.2).
package enum FormEncoding {
    package static func bytes(_ fields: [(name: String, value: String)]) -> [UInt8] {
        Array(fields.map { "\(escape($0.name))=\(escape($0.value))" }.joined(separator: "&").utf8)
    }

    private static func escape(_ text: String) -> String {
        let escaped = PercentEncoding.encode(Array(text.utf8)) { isKept($0) || $0 == 0x20 }
        return String(decoding: escaped.utf8.map { $0 == 0x20 ? UInt8(ascii: "+") : $0 }, as: UTF8.self)
    }

    private static func isKept(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "0")...UInt8(ascii: "9"),
            UInt8(ascii: "*"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"):
            true
        default: false
        }
    }
}
