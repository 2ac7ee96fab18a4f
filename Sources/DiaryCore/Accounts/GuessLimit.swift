import DiaryCrypto

/// What a client says of its device at sign-in.
package struct SignInDevice: Sendable {
    /// What the person calls it.
    package var name: String?
    /// What an earlier sign-in with the same address gave it.
    package var token: String?

    package init(name: String? = nil, token: String? = nil) {
        self.name = name
        self.token = token
    }
}

/// Tells devices on which an address has signed in before. A token is 16 random bytes and half of a keyed hash over them and the address; nothing is stored.
struct KnownDevices: Sendable {
    let key: SecretBytes

    func issue(for address: [UInt8]) -> String {
        let id = SecureRandom.bytes(16)
        return Base64URL.encode(id + proof(id, address))
    }

    /// The device's number; nil when the token is not ours or was given to another address.
    func id(_ token: String, for address: [UInt8]) -> [UInt8]? {
        guard token.utf8.count == 43, let bytes = Base64URL.decode(token), bytes.count == 32 else { return nil }
        let id = Array(bytes.prefix(16))
        return ConstantTime.equal(Array(bytes.suffix(16)), proof(id, address)) ? id : nil
    }

    private func proof(_ id: [UInt8], _ address: [UInt8]) -> [UInt8] { Array(HMACSHA256.code(id + address, key: key).prefix(16)) }
}

/// Guesses of passwords, per account: those from devices that it does not know share one budget, each device it knows has its own, so that a
/// stranger's guesses never keep the owner out there (B9). Counted before the account is looked up, so unknown addresses are counted alike.
package struct GuessLimit: Sendable {
    enum Subject {
        case address([UInt8])
        case device([UInt8], of: [UInt8])
        case member(Owner)
    }

    let limiter: any RateLimiter
    let policy: RatePolicy
    let key: SecretBytes
    let devices: KnownDevices

    /// - Parameter policy: a backoff.
    package init(limiter: any RateLimiter, policy: RatePolicy, services: ServiceKeys) {
        self.limiter = limiter
        self.policy = policy
        key = services.rateSubject
        devices = KnownDevices(key: services.devices)
    }

    func subject(_ address: [UInt8], _ device: SignInDevice) -> Subject {
        device.token.flatMap { devices.id($0, for: address) }.map { .device($0, of: address) } ?? .address(address)
    }

    /// Counts one guess.
    /// - Throws: `rateLimited` when it comes too early; then it must not be looked at.
    func charge(_ subject: Subject) async throws(DiaryError) {
        let verdicts = await limiter.charge([policy], subject: name(subject))
        guard let refused = verdicts.first(where: { !$0.allowed }) else { return }
        throw DiaryError(.rateLimited, retryAfter: max(1, refused.retryAfterSeconds), cause: policy.name)
    }

    /// After a guess that was right.
    func forget(_ subject: Subject) async { await limiter.forget(policy, subject: name(subject)) }

    /// 24 hex digits of a keyed hash: a flood of addresses costs Redis little.
    private func name(_ subject: Subject) -> String {
        let message: [UInt8] =
            switch subject {
            case .address(let address): Array("guess/address/".utf8) + address
            case .device(let id, let address): Array("guess/device/".utf8) + address + id
            case .member(let owner): Array("guess/member/".utf8) + owner.tenant.uuid.octets + owner.user.uuid.octets
            }
        return Hex.encode(Array(HMACSHA256.code(message, key: key).prefix(12)))
    }
}
