/// A server under test, asked over its port.
package protocol TestedServer: Sendable {
    var port: Int { get }
}

extension TestedServer {
    /// One request on its own connection.
    package func ask(_ method: String, _ target: String, headers: [String] = [], body: String? = nil) async throws -> Answer {
        let wire = try await Wire.open(port)
        try await wire.send(Self.request(method, target, headers: headers, body: body))
        let answer = try await wire.answer(toHead: method == "HEAD")
        await wire.close()
        return answer
    }

    /// Raw bytes on their own connection, and the first answer.
    package func raw(_ text: String) async throws -> Answer {
        let wire = try await Wire.open(port)
        await wire.push(text)
        let answer = try await wire.answer()
        await wire.close()
        return answer
    }

    package static func request(_ method: String, _ target: String, headers: [String] = [], body: String? = nil) -> String {
        var lines = ["\(method) \(target) HTTP/1.1", "Host: server.example"] + headers
        if let body { lines.append("Content-Length: \(body.utf8.count)") }
        return lines.joined(separator: "\r\n") + "\r\n\r\n" + (body ?? "")
    }
}
