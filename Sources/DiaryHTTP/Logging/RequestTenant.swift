import DiaryCore
import Synchronization

/// The app of a request, for its log lines. Known once its access token, its signed address or `Diary-App` has named it.
package final class RequestTenant: Sendable {
    private let known = Mutex<TenantID?>(nil)

    var id: TenantID? { known.withLock { $0 } }

    func learn(_ tenant: TenantID) { known.withLock { $0 = tenant } }
}
