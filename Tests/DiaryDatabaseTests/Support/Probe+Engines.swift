import Foundation
import PostgresClient

@testable import DiaryCore
@testable import DiaryDatabase

/// Engines and secrets are their app's: another member of it sees the same.
extension Probe {
    static let engines: [Probe] = [
        Probe(
            name: "chains", seesTenant: true,
            seed: {
                Statement(
                    """
                    with made as (
                        insert into app_secrets (tenant_id, name, master_id, sealed) values ($1, 'key', 'm', '\\x01') on conflict do nothing)
                    insert into app_engines (tenant_id, stage, name, position, kind, timeout_seconds, slots, after_failure)
                        values ($1, 'speech', 'local', 1, 'local', 1, 1, 'next') on conflict do nothing
                    """, [.uuid($0.person.owner.tenant.uuid)])
            }
        ) {
            let chains = try await $0.engines.chains(of: $1.person.owner.tenant)
            return !chains.engines.isEmpty || !chains.secrets.isEmpty
        },
        Probe(
            name: "secret", seesTenant: true,
            seed: {
                Statement(
                    "insert into app_secrets (tenant_id, name, master_id, sealed) values ($1, 'key', 'm', '\\x01') on conflict do nothing",
                    [.uuid($0.person.owner.tenant.uuid)])
            }
        ) {
            try await $0.engines.secret("key", of: $1.person.owner.tenant) != nil
        },
        Probe(name: "offer", seesTenant: true) { try await $0.offers.offer(of: $1.person.owner.tenant) != EngineOffer() },
        Probe(
            name: "choice",
            seed: { Statement("update users set speech_engine = 'local' where tenant_id = $1 and id = $2", $0.person.owner.parameters) }
        ) {
            try await $0.engines.choice(of: $1.person.owner) != EngineChoice()
        },
    ]
}
