/// Address and credentials of a Redis. `description` holds no user and no password.
package struct RedisEndpoint: Sendable, Hashable, CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    package enum Address: Sendable, Hashable {
        case tcp(host: String, port: Int)
        case unixSocket(path: String)
    }

    package let address: Address
    package var user: String? = nil
    package var password: String? = nil
    package var database: Int = 0

    package init(address: Address, user: String? = nil, password: String? = nil, database: Int = 0) {
        self.address = address
        self.user = user
        self.password = password
        self.database = database
    }

    package var description: String {
        switch address {
        case .tcp(let host, let port): "redis://\(host):\(port)/\(database)"
        case .unixSocket(let path): "redis+unix://\(path)?db=\(database)"
        }
    }

    package var debugDescription: String { description }
    package var customMirror: Mirror { Mirror(self, children: ["address": description]) }
}

/// Why a Redis URL is refused. Never repeats the URL, which may hold a password.
package enum RedisURLError: Error, Sendable, Equatable, CustomStringConvertible {
    case unknownScheme, missingHost, badPort, badDatabase, badEscape, badPath

    package var description: String {
        switch self {
        case .unknownScheme: "redis url: the scheme is neither redis nor redis+unix"
        case .missingHost: "redis url: the host is missing"
        case .badPort: "redis url: the port is not a number from 1 to 65535"
        case .badDatabase: "redis url: the database is not a number from 0 to 1000000"
        case .badEscape: "redis url: a percent escape is malformed"
        case .badPath: "redis url: the socket path is not absolute or longer than 107 bytes"
        }
    }
}
