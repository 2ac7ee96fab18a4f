import DiaryCrypto
import WireFormats

/// Limits guesses of passwords per account: unknown devices share one budget, each known device has its own, so that an attacker's guesses
/// never lock the owner out on a known device (B9). Counted before the account is looked up, so unknown addresses are counted alike.
///
/// All known devices of an address share one more budget: a person who once knew the password may have collected a thousand device tokens,
/// and must not have a thousand budgets after it was changed. When it is used up, a known device is not refused but counts as an unknown
/// one.
package struct GuessLimit: Sendable {
    enum Subject: Sendable {
        case address([UInt8])
        case device([UInt8], of: [UInt8])
        case devices(of: [UInt8])
        case member(Owner)

        /// - Parameter network: of the client.
        func caller(from network: [UInt8]?) -> HasherCaller {
            switch self {
            case .address: .unknown
            case .device(_, let address), .devices(let address): .known(account: address, network: network)
            case .member(let owner): .known(account: owner.tenant.uuid.octets + owner.user.uuid.octets, network: network)
            }
        }
    }

    let limiter: any RateLimiter
    let policy: RatePolicy
    let shared: RatePolicy
    let key: SecretBytes
    let devices: KnownDevices

    /// - Parameter policy: a backoff.
    package init(
        limiter: any RateLimiter, policy: RatePolicy, devices shared: RatePolicy = RatePolicies.standard.guessDevices,
        serviceKeys: ServiceKeys, clock: WallClock
    ) {
        self.limiter = limiter
        self.policy = policy
        self.shared = shared
        key = serviceKeys.rateSubject
        devices = KnownDevices(key: serviceKeys.devices, clock: clock)
    }

    func subject(_ address: [UInt8], _ device: SignInDevice) -> Subject {
        device.token.flatMap { devices.id($0, for: address) }.map { .device($0, of: address) } ?? .address(address)
    }

    /// Counts one guess and makes it. A right one removes the wrong ones before it. One that failed by a fault of the service (503) is
    /// refunded, so that retries during an outage lock no account.
    /// - Parameters:
    ///   - network: of the client.
    ///   - guess: gets the share of the hasher that the guess may use.
    /// - Throws: `rateLimited` when it comes too early, without making it; else what `guess` throws.
    func counting<Answer>(
        _ subject: Subject, from network: [UInt8]?, _ guess: (HasherCaller) async throws(DiaryError) -> Answer
    ) async throws(DiaryError) -> Answer {
        let counted = try await charge(subject)
        do throws(DiaryError) {
            let answer = try await guess(counted.caller(from: network))
            await reset(counted)
            await refundShared(counted)
            return answer
        } catch {
            if error.code == .overloaded || error.code == .unavailable {
                await limiter.refund([policy], subject: name(counted))
                await refundShared(counted)
            }
            throw error
        }
    }

    /// Called after a sign-in by another method.
    func reset(_ subject: Subject) async { await limiter.reset(policy, subject: name(subject)) }

    /// - Returns: the subject that the guess was counted for.
    private func charge(_ subject: Subject) async throws(DiaryError) -> Subject {
        try await chargeOne(subject)
        guard case .device(_, let address) = subject else { return subject }
        let shared = await limiter.charge([shared], subject: name(.devices(of: address)))
        if shared.allSatisfy(\.allowed) { return subject }
        await limiter.refund([policy], subject: name(subject))
        try await chargeOne(.address(address))
        return .address(address)
    }

    private func chargeOne(_ subject: Subject) async throws(DiaryError) {
        let verdicts = await limiter.charge([policy], subject: name(subject))
        guard let refused = verdicts.first(where: { !$0.allowed }) else { return }
        throw DiaryError(.rateLimited, retryAfter: max(1, refused.retryAfterSeconds), cause: policy.name)
    }

    /// Refunds only one guess of the budget that all devices share: those of other devices stay.
    private func refundShared(_ subject: Subject) async {
        guard case .device(_, let address) = subject else { return }
        await limiter.refund([shared], subject: name(.devices(of: address)))
    }

    /// 24 hex digits of a keyed hash, short so that many addresses cost Redis little memory.
    private func name(_ subject: Subject) -> String {
        let message: [UInt8] =
            switch subject {
            case .address(let address): Array("guess/address/".utf8) + address
            case .device(let id, let address): Array("guess/device/".utf8) + address + id
            case .devices(let address): Array("guess/devices/".utf8) + address
            case .member(let owner): Array("guess/member/".utf8) + owner.tenant.uuid.octets + owner.user.uuid.octets
            }
        return Hex.encode(Array(HMACSHA256.code(message, key: key).prefix(12)))
    }
}

extension GuessLimit {
    /// The token that the device sends the next time: its number, or a new one when it sent no valid token, and today's day.
    func deviceToken(_ address: [UInt8], _ device: SignInDevice) -> String {
        devices.issue(for: address, id: device.token.flatMap { devices.id($0, for: address) })
    }
}
