package import DiaryCore
package import PostgresClient
import Synchronization

/// The engines that each app offers, by the database role `diary_api`, cached: needed by every reader of the configuration. An app without
/// engines of its own has the service's.
package final class PostgresEngineDirectory: EngineDirectory {
    private struct Kept {
        let offer: EngineOffer
        /// When it began to be read.
        let readAt: ContinuousClock.Instant
    }

    private struct Cache {
        var offers: [TenantID: Kept] = [:]
        /// What was read before this is stale.
        var refreshedAt = ContinuousClock.now
    }

    package let localLanguages: SpeechLanguages
    private let transaction: OwnerTransaction
    private let service: EngineOffer
    private let freshFor: Duration
    private let cache = Mutex(Cache())

    /// - Parameter service: of the process's settings.
    package convenience init(
        pool: ConnectionPool, service: EngineOffer, localLanguages: SpeechLanguages, freshFor: Duration = .seconds(15)
    ) {
        self.init(
            transaction: OwnerTransaction(pool: pool), service: service, localLanguages: localLanguages, freshFor: freshFor)
    }

    init(
        transaction: OwnerTransaction, service: EngineOffer = EngineOffer(), localLanguages: SpeechLanguages = .all,
        freshFor: Duration = .zero
    ) {
        self.transaction = transaction
        self.service = service
        self.localLanguages = localLanguages
        self.freshFor = freshFor
    }

    package func offer(of tenant: TenantID?) async throws(DiaryError) -> EngineOffer {
        guard let tenant else { return service }
        let now = ContinuousClock.now
        let kept = cache.withLock { cache -> EngineOffer? in
            guard let kept = cache.offers[tenant], kept.readAt > cache.refreshedAt, kept.readAt.duration(to: now) < freshFor else {
                return nil
            }
            return kept.offer
        }
        if let kept { return kept }
        let offer = try await read(tenant).filled(from: service)
        cache.withLock { $0.offers[tenant] = Kept(offer: offer, readAt: now) }
        return offer
    }

    /// After a change, which is then seen by the next call.
    package func refresh() { cache.withLock { $0.refreshedAt = .now } }

    private func read(_ tenant: TenantID) async throws(DiaryError) -> EngineOffer {
        let engines = Statement(
            "select kind, name, is_local, stage from app_engines where tenant_id = $1 order by stage, position, name", [.uuid(tenant.uuid)])
        return try await transaction.forClient(tenant).run([engines]) { rows in
            var offer = EngineOffer()
            for var row in rows[0] {
                guard let kind = EngineKind(rawValue: try row.text()) else { continue }
                let option = EngineOffer.Option(name: try row.text(), kind: kind, isLocal: try row.bool())
                switch EngineStage(rawValue: try row.text()) {
                case .speech: offer.speech.append(option)
                case .text: offer.text.append(option)
                case nil: break
                }
            }
            return offer
        }
    }
}
