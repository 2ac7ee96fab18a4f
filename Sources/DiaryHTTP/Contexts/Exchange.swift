import DiaryCore
package import FoundationEssentials
package import HTTPListener
package import HTTPTypes
package import Logging
package import NIOCore

/// One request as handlers get it.
package struct Exchange: Sendable {
    package var method: HTTPRequest.Method
    /// The route's template, e.g. `/v1/entries/{id}`; what logs and metrics name.
    package var template: String
    /// What the route asks of an API token.
    package var tokenAccess: TokenAccess
    /// The path without the query, undecoded: signatures cover it. Never logged.
    package var rawPath: String
    /// Path parameters by name, decoded.
    package var parameters: [String: String]
    /// The part behind `?`, undecoded. Never logged.
    package var rawQuery: String?
    package var headers: HTTPFields
    /// `Host`, as the client (or the proxy) sent it.
    package var authority: String?
    package var body: IncomingBody
    package var requestID: String
    package var trace: TraceParent?
    package var tenant: RequestTenant
    package var peer: SocketAddress?
    package var now: Date
    /// Without the request's own fields.
    package var connectionLogger: Logger
    package var environment: RequestEnvironment
    /// False for a request over its limits, which may only repeat an earlier answer.
    package var mayCreate = true
    /// Charges the limits of a route whose handler does so itself; nil for others.
    package var counter: CallCounter?
    /// The one that the request came on.
    package var connection: RequestConnection? = nil

    package var logger: Logger { RequestRecord.logger(connectionLogger, requestID: requestID, trace: trace, tenant: tenant.id) }

    /// The client, derived only when a limit or a session needs it.
    package var client: ClientAddress { environment.trustedProxies.client(peer: peer, headers: headers) }
}
