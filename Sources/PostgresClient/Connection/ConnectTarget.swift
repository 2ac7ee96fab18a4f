import CLibpq
import Glibc

/// libpq's connection keywords and values, merged once from the caller's string and the session's settings.
struct ConnectTarget: Sendable {
    let pairs: [(keyword: String, value: String)]
    let connectTimeout: Duration

    /// Throws `.configuration` when the string does not parse. libpq's message is dropped: it quotes the string.
    init(_ settings: ConnectionSettings) throws(DatabaseError) {
        guard var given = Self.parse(settings.conninfo) else { throw DatabaseError(.configuration) }
        let ours = settings.sessionOptions.map { "-c \($0.name)=\(Self.escaped($0.value))" }
        given["options"] = ([given["options"]].compactMap { $0 } + ours).joined(separator: " ")
        given["client_encoding"] = "UTF8"
        if given["application_name"] == nil { given["application_name"] = settings.applicationName }
        // Detects a silent peer in seconds; the kernel's default is a quarter of an hour.
        if given["tcp_user_timeout"] == nil { given["tcp_user_timeout"] = "10000" }
        pairs = given.map { ($0.key, $0.value) }
        connectTimeout = settings.connectTimeout
    }

    private static func parse(_ conninfo: String) -> [String: String]? {
        var message: UnsafeMutablePointer<CChar>?
        guard let options = PQconninfoParse(conninfo, &message) else {
            if let message { PQfreemem(message) }
            return nil
        }
        defer { PQconninfoFree(options) }
        var given: [String: String] = [:]
        var option = options
        while let keyword = option.pointee.keyword {
            if let value = option.pointee.val { given[String(cString: keyword)] = String(cString: value) }
            option += 1
        }
        return given
    }

    /// In `options` a space separates arguments and a backslash escapes the next character.
    private static func escaped(_ value: String) -> String {
        var text = ""
        for character in value {
            if character == " " || character == "\\" { text.append("\\") }
            text.append(character)
        }
        return text
    }

    func withPointers<Result>(
        _ body: (_ keywords: UnsafePointer<UnsafePointer<CChar>?>?, _ values: UnsafePointer<UnsafePointer<CChar>?>?) -> Result
    ) -> Result {
        let keywords = pairs.map { strdup($0.keyword) }
        let values = pairs.map { strdup($0.value) }
        defer {
            keywords.forEach { free($0) }
            values.forEach { free($0) }
        }
        let keywordPointers = keywords.map { UnsafePointer($0) } + [nil]
        let valuePointers = values.map { UnsafePointer($0) } + [nil]
        return keywordPointers.withUnsafeBufferPointer { keywords in
            valuePointers.withUnsafeBufferPointer { values in body(keywords.baseAddress, values.baseAddress) }
        }
    }
}
