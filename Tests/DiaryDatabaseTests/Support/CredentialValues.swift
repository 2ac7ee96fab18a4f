import DiaryCrypto
import Foundation

@testable import DiaryCore

extension PresentedCode {
    /// As the codes of `SeedData`, whose requester is 8.
    static func make(_ purpose: CodePurpose, _ hash: [UInt8], request: [UInt8] = [8], tries: Int = 5) -> PresentedCode {
        PresentedCode(purpose: purpose, hash: hash, requestHash: request, maxTries: tries)
    }
}

extension AccountCode {
    static func make(
        _ purpose: CodePurpose, _ hash: [UInt8] = SecureRandom.bytes(32), request: [UInt8] = [8], lifetime: Int = 1_800,
        newAddress: (hash: [UInt8], sealed: [UInt8])? = nil
    ) -> AccountCode {
        AccountCode(
            id: UUIDv7.make(), purpose: purpose, hash: hash, requestHash: request, lifetimeSeconds: lifetime, newAddress: newAddress)
    }
}

extension Rotation {
    static func from(_ number: Int, _ hash: [UInt8], to next: [UInt8], requestID: String? = nil) -> Rotation {
        Rotation(
            number: number, hash: hash, nextHash: next, graceSeconds: 60, burstSeconds: 10, graceUses: 3, idleSeconds: 1_000_000,
            requestID: requestID)
    }
}
