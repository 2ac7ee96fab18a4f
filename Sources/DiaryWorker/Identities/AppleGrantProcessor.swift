package import DiaryCore
import DiaryCrypto
import FoundationEssentials
package import Logging
import ServiceLifecycle

/// Exchanges the authorization codes of sign-ins for refresh tokens, and revokes those at Apple after an unlinking or with the account.
/// Runs in every worker; a grant is claimed by one at a time.
package struct AppleGrantProcessor: Service {
    let store: any AppleGrantStore
    let apple: any AppleAccounts
    let vault: GrantVault
    let serviceKeys: ServiceKeys
    let limits: Limits
    let clock: WallClock
    let logger: Logger

    static let batch = 16
    /// Apple accepts a code for five minutes.
    static let codeSeconds = 300.0
    /// After that the revocation is not retried.
    static let revocationSeconds = 7 * 86_400.0

    package init(
        store: any AppleGrantStore, apple: any AppleAccounts, serviceKeys: ServiceKeys, limits: Limits, clock: WallClock = .system,
        logger: Logger
    ) {
        self.store = store
        self.apple = apple
        self.serviceKeys = serviceKeys
        self.limits = limits
        self.clock = clock
        self.logger = logger
        vault = GrantVault(serviceKeys)
    }

    package func run() async throws {
        while !isStopping {
            await round()
            let wait = limits.sweepSeconds * Double.random(in: 0.75...1.25)
            await cancelWhenGracefulShutdown { await pause(wait) }
        }
    }

    /// Settles all grants that are due. A batch runs in parallel: each grant is claimed for a minute, and Apple may take 20 seconds
    /// to fail.
    func round() async {
        do {
            while true {
                let grants = try await store.claim(limit: Self.batch)
                await withTaskGroup { group in
                    for grant in grants { group.addTask { await settle(grant) } }
                }
                if grants.count < Self.batch || isStopping { return }
            }
        } catch {
            report(error)
        }
    }

    private var isStopping: Bool { Task.isCancelled || Task.isShuttingDownGracefully }

    /// A grant that was not written is claimed again in a minute.
    private func report(_ error: WorkError) {
        guard !isStopping else { return }
        logger.warning("apple grants not settled", metadata: ["error": "\(JobStop(any: error).cause ?? "work store")"])
    }

    /// A code first, also where a revocation waits: only its token can be revoked.
    private func settle(_ grant: AppleGrant) async {
        do throws(AppleFailure) {
            if let sealed = grant.codeSealed {
                try await exchange(sealed, grant)
            } else if let sealed = grant.tokenSealed, grant.revokeRequestedAt != nil {
                try await revoke(sealed, grant)
            }
        } catch {
            await putOff(grant, error)
        }
    }

    private func exchange(_ sealed: [UInt8], _ grant: AppleGrant) async throws(AppleFailure) {
        let code = try opened(sealed, .code, grant)
        let (subject, token) = try await apple.exchange(
            code: String(decoding: code, as: UTF8.self), clientID: grant.clientID, at: clock.now())
        // The code belongs to another Apple account than the ID token did: its grant is not kept.
        guard ConstantTime.equal(serviceKeys.subjectHash(subject, of: .apple, tenant: grant.owner.tenant), grant.subjectHash) else {
            throw .grantRefused
        }
        let kept: [UInt8]
        do {
            kept = try vault.seal(token.bytes(), .token, owner: grant.owner, identity: grant.identity)
        } catch {
            throw .requestRefused
        }
        // When this fails the code is used up all the same; the next sign-in brings another.
        do { try await store.keep(kept, for: grant) } catch { report(error) }
    }

    private func revoke(_ sealed: [UInt8], _ grant: AppleGrant) async throws(AppleFailure) {
        let token = try opened(sealed, .token, grant)
        try await apple.revoke(SecretBytes(token), clientID: grant.clientID, at: clock.now())
        // When this fails, the token is revoked again, which Apple accepts.
        do { try await store.delete(grant) } catch { report(error) }
    }

    private func opened(_ sealed: [UInt8], _ part: GrantVault.Part, _ grant: AppleGrant) throws(AppleFailure) -> [UInt8] {
        do { return try vault.open(sealed, part, owner: grant.owner, identity: grant.identity) } catch { throw .requestRefused }
    }

    private func putOff(_ grant: AppleGrant, _ failure: AppleFailure) async {
        do {
            if grant.codeSealed != nil {
                if [.grantRefused, .requestRefused].contains(failure) || hasPassed(Self.codeSeconds, since: grant.codeAt) {
                    logger.notice("apple code dropped", metadata: ["failure": "\(failure)"])
                    return try await store.dropCode(of: grant)
                }
            } else if failure == .grantRefused || hasPassed(Self.revocationSeconds, since: grant.revokeRequestedAt) {
                logger.notice("apple revocation abandoned", metadata: ["failure": "\(failure)"])
                return try await store.delete(grant)
            }
            logger.warning(
                "apple is asked again later", metadata: ["failure": "\(failure)", "attempt": .stringConvertible(grant.attempts)])
            // 5 s, 10 s, 20 s … an hour, so that a wrong key does not flood Apple.
            let doublings = min(max(0, grant.attempts - 1), 12)
            try await store.postpone(
                grant, seconds: min(3_600, limits.retryBaseSeconds * Double(1 << doublings)) * Double.random(in: 0.75...1.25))
        } catch {
            report(error)
        }
    }

    private func hasPassed(_ seconds: Double, since start: Date?) -> Bool {
        start.map { clock.now().timeIntervalSince($0) > seconds } ?? true
    }
}
