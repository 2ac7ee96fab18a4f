package import DiaryCore

/// Anybody.
package struct AnonymousContext: AccessContext {
    package static let access = Access.anonymous
    package let exchange: Exchange

    package init(_ exchange: Exchange) throws(DiaryError) { self.exchange = exchange }

    package var subject: RateSubject { .client(exchange.client) }
}
