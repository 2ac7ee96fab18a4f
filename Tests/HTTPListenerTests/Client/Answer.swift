/// One answer as it came over the socket.
package struct Answer: Sendable {
    package var status: Int
    package var headers: [(name: String, value: String)]
    package var body: [UInt8]

    package func header(_ name: String) -> String? { headers.first { $0.name.lowercased() == name.lowercased() }?.value }
    package var text: String { String(decoding: body, as: UTF8.self) }
}
