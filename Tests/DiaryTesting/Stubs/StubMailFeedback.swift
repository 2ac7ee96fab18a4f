package import DiaryCore
package import Foundation

/// Reports that the request itself names: the body is an event's id, a signature of `right` is one.
package struct StubMailFeedback: MailFeedbackReading, MailEventStore {
    package static let mail = MailID(UUID(uuid: (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16)))
    package static var ports: MailFeedbackPorts {
        let stub = StubMailFeedback()
        return MailFeedbackPorts(reader: stub, store: stub, trust: MailFeedbackTrust(sendGridKey: "key", topics: ["topic"]))
    }

    package func events(_ delivery: SendGridDelivery, key: String, at now: Date) throws(MailFeedbackFailure) -> [MailEvent] {
        guard delivery.signature == "right" else { throw .refused }
        return [MailEvent(id: String(decoding: delivery.body, as: UTF8.self), mail: Self.mail, reason: .hardBounce, at: now)]
    }

    package func events(sns body: [UInt8], topics: Set<String>, at now: Date) async throws(MailFeedbackFailure) -> [MailEvent] {
        switch String(decoding: body, as: UTF8.self) {
        case "later": throw .unavailable
        case "strange": throw .malformed
        case let id: return [MailEvent(id: id, mail: Self.mail, reason: .complaint, at: now)]
        }
    }

    package func note(_ events: HashedMailEvents) async throws(DiaryError) -> Int { events.events.count }
}
