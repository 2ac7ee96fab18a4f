package import DiaryCore
import HTTPTypes

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
