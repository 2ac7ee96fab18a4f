import DiaryCore
import HTTPTypes
import WireFormats

extension AccessContext {
    /// The JSON object of the body.
    /// - Throws: `DiaryError`: 415 for another type, 413 over the limit, 400 for a body that is not JSON.
    package func fields() async throws -> Fields {
        try JSONBody.checkType(exchange.headers)
        let bytes = try await exchange.body.collect()
        return try JSONBody.open(bytes, maxDepth: exchange.environment.limits.jsonDepth)
    }
}

/// Checks and parses a JSON body before its fields are read.
enum JSONBody {
    /// `application/json`, parameters allowed, but no charset other than UTF-8 and no content coding.
    static func checkType(_ headers: HTTPFields) throws(DiaryError) {
        let values = headers[values: .contentType]
        guard values.count == 1, let value = values.first else { throw DiaryError(.unsupportedMediaType) }
        if value != "application/json" { try checkParameters(of: value) }
        if let coding = headers[.contentEncoding], coding.lowercased() != "identity" { throw DiaryError(.unsupportedMediaType) }
    }

    private static func checkParameters(of value: String) throws(DiaryError) {
        let parts = value.split(separator: ";", omittingEmptySubsequences: false).map { trimmed($0).lowercased() }
        guard parts.first == "application/json" else { throw DiaryError(.unsupportedMediaType) }
        for parameter in parts.dropFirst() where parameter.hasPrefix("charset=") {
            let charset = parameter.dropFirst("charset=".count).filter { $0 != "\"" }
            guard charset == "utf-8" || charset == "utf8" else { throw DiaryError(.unsupportedMediaType) }
        }
    }

    static func open(_ bytes: [UInt8], maxDepth: Int) throws(DiaryError) -> Fields {
        do {
            return Fields(try JSONParser.parse(bytes, JSONRules(maximumDepth: maxDepth)))
        } catch {
            throw DiaryError(.malformedJSON, fields: [.init("", "\(error.reason) (byte \(error.offset))")])
        }
    }

    private static func trimmed(_ text: Substring) -> Substring {
        var text = text
        while text.first == " " || text.first == "\t" { text.removeFirst() }
        while text.last == " " || text.last == "\t" { text.removeLast() }
        return text
    }
}
