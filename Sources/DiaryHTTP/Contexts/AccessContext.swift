package import DiaryCore
package import FoundationEssentials
import HTTPListener
package import HTTPTypes

/// The argument of a handler. "Signed in" is a type: only a `MemberContext` has a member, and its initialiser requires a valid token.
/// (The idea of Hummingbird's `ChildRequestContext`, without its decoder, encoder and unbounded upload.)
package protocol AccessContext: Sendable {
    static var access: Access { get }
    var exchange: Exchange { get }
    /// The subject that the route's limits are charged to.
    var subject: RateSubject { get }
    /// A route's limits as they apply to the caller.
    func limits(_ policies: [RatePolicy]) -> [RatePolicy]
    /// Called after the handler threw.
    /// - Parameter charged: the policies that `limits` returned.
    /// - Returns: the policies to refund.
    func settle(_ charged: [RatePolicy], after error: DiaryError) -> [RatePolicy]
    /// Called after the handler, unless it found that the caller's session or token has ended.
    func noteUse()
    init(_ exchange: Exchange) throws(DiaryError)
}

extension AccessContext {
    package func limits(_ policies: [RatePolicy]) -> [RatePolicy] { policies }
    package func settle(_ charged: [RatePolicy], after error: DiaryError) -> [RatePolicy] { [] }
    package func noteUse() {}

    /// Charges the route's `counted` limits, for work that only some of its calls make. The answer announces them.
    func charge(_ count: Int) async throws(DiaryError) {
        guard let counter = exchange.counter else { throw DiaryError(.rateLimited) }
        try await counter.charge(count)
    }

    package var now: Date { exchange.now }
    package var body: IncomingBody { exchange.body }
    package var origin: RequestOrigin {
        RequestOrigin(requestID: exchange.requestID, place: exchange.place, client: exchange.client.prefix)
    }

    /// A path parameter; the table guarantees that declared ones are there.
    package func parameter(_ name: String) throws(DiaryError) -> String {
        guard let value = exchange.parameters[name] else { throw .notFound }
        return value
    }

    /// An identifier in the path; 404 for a text that is no identifier.
    package func id<Entity>(_ name: String = "id") throws(DiaryError) -> ID<Entity> {
        guard let value = exchange.parameters[name], let id = ID<Entity>(value) else { throw .notFound }
        return id
    }

    /// The query, to be read and then finished.
    package func query() -> Query { Query(exchange.rawQuery) }

    /// A header field that may occur once.
    package func header(_ name: HTTPField.Name) throws(DiaryError) -> String? {
        let values = exchange.headers[values: name]
        guard values.count <= 1 else { throw DiaryError(.malformedRequest, fields: [.init("header/\(name.canonicalName)", "comes twice")]) }
        return values.first
    }

    /// `Idempotency-Key`: 1 … 255 visible ASCII characters.
    package func idempotencyKey() throws(DiaryError) -> String? {
        guard let name = FieldNames.idempotencyKey, let key = try header(name) else { return nil }
        guard (1...255).contains(key.utf8.count), key.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }) else {
            throw .invalid("header/idempotency-key", "must be 1 to 255 visible ASCII characters")
        }
        return key
    }

    package func requestKey() throws(DiaryError) -> RequestKey { RequestKey(try idempotencyKey(), mayWrite: exchange.mayCreate) }

    /// `If-Match` as versions, which `VersionTag.text` writes; nil when the field is missing.
    package func ifMatch() throws(DiaryError) -> VersionTag.Condition? {
        let values = exchange.headers[values: .ifMatch]
        guard !values.isEmpty else { return nil }
        guard let condition = VersionTag.condition(values.joined(separator: ",")) else {
            throw .invalid("header/if-match", "must be * or entity tags")
        }
        return condition
    }
}

/// The access an operation requires.
package enum Access: String, Sendable { case anonymous, member }

/// A request for which no token is required.
package struct AnonymousContext: AccessContext {
    package static let access = Access.anonymous
    package let exchange: Exchange

    package init(_ exchange: Exchange) throws(DiaryError) { self.exchange = exchange }

    package var subject: RateSubject { .client(exchange.client) }

    /// The limits of the app that the request is for. An unknown name or a second field is refused by the handler, not here.
    package func limits(_ policies: [RatePolicy]) -> [RatePolicy] {
        guard !policies.isEmpty else { return policies }
        let slug = FieldNames.diaryApp.flatMap { exchange.headers[$0] }
        return exchange.environment.appPolicies(policies, AppReference(slug: slug, authority: exchange.authority))
    }
}
