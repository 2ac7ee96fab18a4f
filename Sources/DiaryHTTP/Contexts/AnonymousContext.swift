package import DiaryCore
import HTTPTypes

/// Anybody.
package struct AnonymousContext: AccessContext {
    package static let access = Access.anonymous
    package let exchange: Exchange

    package init(_ exchange: Exchange) throws(DiaryError) { self.exchange = exchange }

    package var subject: RateSubject { .client(exchange.client) }

    /// As the app that `Diary-App` names has them. A name that is none, or comes twice, is refused by the handler, not here.
    package func limits(_ policies: [RatePolicy]) -> [RatePolicy] {
        policies.isEmpty ? policies : exchange.environment.appPolicies(policies, FieldNames.diaryApp.flatMap { exchange.headers[$0] })
    }
}
