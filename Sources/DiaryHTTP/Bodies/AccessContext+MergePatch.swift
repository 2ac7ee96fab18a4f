import DiaryCore
import HTTPTypes

extension AccessContext {
    /// The JSON object of a PATCH: `application/merge-patch+json` (RFC 7396) or `application/json`.
    func mergePatch() async throws -> Fields {
        var headers = exchange.headers
        let value = headers[values: .contentType]
        if value.count == 1, let type = value.first, type.lowercased().hasPrefix("application/merge-patch+json") {
            let rest = type.dropFirst("application/merge-patch+json".count)
            guard rest.isEmpty || rest.first == ";" || rest.first == " " else { throw DiaryError(.unsupportedMediaType) }
            headers[.contentType] = "application/json" + rest
        }
        try JSONBody.checkType(headers)
        return try JSONBody.open(try await exchange.body.collect(), maxDepth: exchange.environment.limits.jsonDepth)
    }
}
