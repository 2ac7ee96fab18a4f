import DiaryCore
import DiaryDatabase
import PostgresClient

/// The API's connection pools of both databases, and the caches that read through them. Sign-in and members have separate pools, so that
/// many sign-ins cannot take members' connections.
struct APIDatabases: Sendable {
    let members: ConnectionPool
    let signIn: ConnectionPool
    let memberKeyPool: ConnectionPool
    let signInKeyPool: ConnectionPool
    let memberKeys: DataKeys
    let signInKeys: DataKeys
    let tenants: PostgresTenantStore
    let engines: PostgresEngineDirectory

    init(_ application: Application) throws {
        let size = application.settings.database.poolSize
        members = try application.pool(.api, size: size)
        signIn = try application.pool(.auth, size: max(2, size / 2))
        memberKeyPool = try application.keyPool(.api)
        signInKeyPool = try application.keyPool(.auth)
        memberKeys = application.dataKeys(memberKeyPool)
        signInKeys = application.dataKeys(signInKeyPool)
        // The upper bound of staleness; a change notice refreshes them sooner.
        tenants = PostgresTenantStore(pool: signIn, freshFor: .seconds(15))
        engines = PostgresEngineDirectory(
            pool: members, service: application.settings.engines, localLanguages: application.settings.localLanguages)
    }

    var pools: [ConnectionPool] { [members, signIn, signInKeyPool, memberKeyPool] }
}
