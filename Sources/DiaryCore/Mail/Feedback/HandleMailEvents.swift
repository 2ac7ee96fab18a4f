/// Takes reports of mail providers: verifies that they are the provider's, and applies them once.
package struct HandleMailEvents: Sendable {
    let ports: MailFeedbackPorts
    let tenants: any TenantStore
    let serviceKeys: ServiceKeys
    let clock: WallClock

    /// Whose deliveries of SendGrid are believed. Asked before the body is read: where no key is set, none is.
    /// - Parameter app: the slug of an app with a provider of its own; nil for the installation's.
    package func sendGridSource(_ app: String?) async throws(DiaryError) -> MailEventSource<String> {
        let (trust, tenant) = try await trust(app)
        guard let key = trust.sendGridKey else { throw Self.refused("no key is set") }
        return MailEventSource(signer: key, app: tenant)
    }

    /// Whose messages of SNS are believed, by their topics; otherwise as ``sendGridSource(_:)``.
    package func snsSource(_ app: String?) async throws(DiaryError) -> MailEventSource<Set<String>> {
        let (trust, tenant) = try await trust(app)
        guard !trust.topics.isEmpty else { throw Self.refused("no topic is set") }
        return MailEventSource(signer: trust.topics, app: tenant)
    }

    /// - Returns: how many changed something.
    package func run(
        _ delivery: SendGridDelivery, from source: MailEventSource<String>, origin: RequestOrigin
    ) async throws(DiaryError) -> Int {
        let events: [MailEvent]
        do throws(MailFeedbackFailure) {
            events = try ports.reader.events(delivery, key: source.signer, at: clock.now())
        } catch {
            throw Self.answer(error, malformed: .malformedJSON)
        }
        return try await note(events, of: .sendgrid, source.app, origin)
    }

    package func run(
        sns body: [UInt8], from source: MailEventSource<Set<String>>, origin: RequestOrigin
    ) async throws(DiaryError) -> Int {
        let events: [MailEvent]
        do throws(MailFeedbackFailure) {
            events = try await ports.reader.events(sns: body, topics: source.signer, at: clock.now())
        } catch {
            throw Self.answer(error, malformed: .malformedRequest)
        }
        return try await note(events, of: .ses, source.app, origin)
    }

    private func trust(_ app: String?) async throws(DiaryError) -> (MailFeedbackTrust, TenantID?) {
        guard let app else { return (ports.trust, nil) }
        // An unknown app answers as a wrong signature does.
        guard let tenant = try await tenants.tenant(slug: app) else { throw Self.refused("the app is not known") }
        return (tenant.configuration.mailFeedbackTrust, tenant.id)
    }

    private func note(
        _ events: [MailEvent], of provider: MailProvider, _ app: TenantID?, _ origin: RequestOrigin
    ) async throws(DiaryError) -> Int {
        guard !events.isEmpty else { return 0 }
        return try await ports.store.note(
            HashedMailEvents(
                events: events.map { (serviceKeys.mailEventHash($0.id, of: provider), $0) }, provider: provider, app: app,
                requestID: origin.requestID))
    }

    private static func refused(_ cause: String) -> DiaryError { DiaryError(.signatureRefused, cause: cause) }

    private static func answer(_ failure: MailFeedbackFailure, malformed: ErrorCode) -> DiaryError {
        switch failure {
        case .refused: refused("not signed by the provider")
        case .malformed: DiaryError(malformed)
        case .unavailable: .unavailable(cause: "the provider's certificate cannot be fetched")
        }
    }
}

/// A provider whose reports are believed: what its signatures are checked with, and the app whose mails it sends.
package struct MailEventSource<Signer: Sendable>: Sendable {
    let signer: Signer
    /// nil for the installation's provider.
    let app: TenantID?
}
