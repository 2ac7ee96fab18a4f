import DiaryCore
import DiaryDatabase

/// Marks accounts as being erased.
struct AdminErasure {
    let users: PostgresUserAdministration
    private let serviceKeys: ServiceKeys
    private let uploadSeconds: Int

    init(users: PostgresUserAdministration) async throws {
        self.users = users
        let environment = Environment.process
        let secret = try environment.read(KeySettings.serviceSecret)
        // With another secret the worker could not read which account a deletion names.
        try await KeyVerification.run(environment, secret: secret)
        serviceKeys = ServiceKeys(secret: secret)
        uploadSeconds = try environment.read(LimitSettings.uploadURLSeconds)
    }

    /// - Parameter operator: nil when the whole app is erased, which is recorded already.
    /// - Returns: nil when there is no such account, or it is being erased.
    func erase(_ owner: Owner, by operator: String?) async throws -> ErasureReceipt? {
        let (deletion, receipt) = try NewDeletion.of(owner, uploadSeconds: uploadSeconds, serviceKeys, at: WallClock.system.now())
        return try await users.requestErasure(owner, deletion, by: `operator`) ? receipt : nil
    }

    func eraseAll(of tenant: TenantID) async throws -> Int {
        var count = 0
        var last: UserID?
        while true {
            let page = try await users.users(of: tenant, after: last, limit: 500)
            for user in page where try await erase(Owner(tenant: tenant, user: user), by: nil) != nil { count += 1 }
            guard let end = page.last else { return count }
            last = end
        }
    }
}
