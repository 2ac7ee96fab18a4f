import DiaryCore
import FoundationEssentials
import Synchronization

@testable import DiaryIdentity

/// A provider's key endpoint with scripted answers that counts the requests.
final class ListedKeySets: JWKSSource {
    struct Down: Error {}

    private struct State {
        var answer: @Sendable () throws -> JWKSDocument
        var fetches = 0
        var isHeld = false
        var held: [CheckedContinuation<Void, Never>] = []
    }

    private let state: Mutex<State>

    init(_ jwks: String..., cacheControl: String? = nil) {
        let document = Self.document(jwks, cacheControl)
        state = Mutex(State(answer: { document }))
    }

    static func document(_ jwks: [String], _ cacheControl: String? = nil) -> JWKSDocument {
        JWKSDocument(bytes: Array((#"{"keys":["# + jwks.joined(separator: ",") + "]}").utf8), cacheControl: cacheControl)
    }

    var fetches: Int { state.withLock { $0.fetches } }

    func serve(_ jwks: String..., cacheControl: String? = nil) {
        let document = Self.document(jwks, cacheControl)
        state.withLock { $0.answer = { document } }
    }

    func serve(bytes: [UInt8]) { state.withLock { $0.answer = { JWKSDocument(bytes: bytes, cacheControl: nil) } } }
    func goDown() { state.withLock { $0.answer = { throw Down() } } }

    /// Answers wait until `release`.
    func hold() { state.withLock { $0.isHeld = true } }

    func release() {
        let held = state.withLock { state in
            defer { (state.held, state.isHeld) = ([], false) }
            return state.held
        }
        for waiter in held { waiter.resume() }
    }

    func keySet(at url: String, maximumBytes: Int) async throws -> JWKSDocument {
        let answer = state.withLock { state in
            state.fetches += 1
            return state.answer
        }
        await withCheckedContinuation { continuation in
            let isHeld = state.withLock { state in
                if state.isHeld { state.held.append(continuation) }
                return state.isHeld
            }
            if !isHeld { continuation.resume() }
        }
        return try answer()
    }
}
