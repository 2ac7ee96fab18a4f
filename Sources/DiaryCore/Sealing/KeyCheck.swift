/// The check value of a master key or of the service secret, which says whether a process has the key that the key database belongs to.
package struct KeyCheck: Sendable, Equatable {
    package enum Subject: Sendable, Hashable {
        case master(String)
        case serviceSecret
    }

    package var subject: Subject
    /// 32 bytes.
    package var value: [UInt8]

    /// The name under which the key database stores the value.
    package var name: String {
        switch subject {
        case .master(let id): "master/\(id)"
        case .serviceSecret: "service-secret"
        }
    }
}
