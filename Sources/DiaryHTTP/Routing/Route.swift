package import DiaryCore
package import HTTPTypes

/// One operation: method, template, required access, limits and handler.
///
/// ```swift
/// Route(.post, "/v1/entries", limits: policies.entries) { (context: MemberContext) in … }
/// ```
/// The handler's parameter type decides the access. Segments in braces are parameters; a last `{name+}` takes the whole rest of the path.
package struct Route: Sendable {
    package let method: HTTPRequest.Method
    package let template: String
    package let access: Access
    /// What an API token needs for it.
    package let tokenAccess: TokenAccess
    package let limits: [RatePolicy]
    /// What the handler charges itself, by a number that is in the request (`Exchange.counter`).
    package let counted: [RatePolicy]
    /// What the handler charges a member, of an operation for which some of its calls need a session.
    package let ofSession: [RatePolicy]
    /// Bytes of body at most; nil is the JSON limit.
    package let bodyLimit: Int64?
    /// The last parameter of the template may have an escaped slash.
    let takesSlash: Bool
    let run: @Sendable (Exchange, RateGate) async -> Outcome

    var takesToken: Bool { access == .member || !ofSession.isEmpty }

    /// The reply or the error of a request, and the verdicts to announce with either.
    struct Outcome: Sendable {
        var result: Result<Reply, DiaryError>
        var verdicts: [RateVerdict] = []
        /// The operation takes a token, and the request has something in its place.
        var isOfSentToken = false
    }

    /// - Parameter replays: what an answer that is charged as a read (`Reply.isChargedAsRead`) costs instead of `limits`, a repeated one also
    ///   when these are used up; empty for routes that have neither.
    package init<Context: AccessContext>(
        _ method: HTTPRequest.Method, _ template: String, bodyLimit: Int64? = nil, limits: [RatePolicy] = [], counted: [RatePolicy] = [],
        ofSession: [RatePolicy] = [], replays: [RatePolicy] = [], takesSlash: Bool = false,
        handler: @escaping @Sendable (Context) async throws -> Reply
    ) {
        self.method = method
        self.template = template
        self.limits = limits
        self.counted = counted
        self.ofSession = ofSession
        self.bodyLimit = bodyLimit
        self.takesSlash = takesSlash
        access = Context.access
        tokenAccess = TokenAccess.of(method, template)
        run = { exchange, gate in
            var context: Context
            do throws(DiaryError) { context = try Context(exchange) } catch { return Outcome(result: .failure(error)) }
            let charged = context.limits(limits)
            let verdicts = await gate.charge(charged, context.subject)
            let counter = counted.isEmpty && ofSession.isEmpty ? nil : CallCounter(gate, context.subject, context.limits(counted))
            if let counter {
                var exchange = exchange
                exchange.counter = counter
                do throws(DiaryError) { context = try Context(exchange) } catch { return Outcome(result: .failure(error)) }
            }
            // A refusal has charged nothing, so there is nothing to refund.
            if let refusal = RateGate.refusal(verdicts) {
                let repeated = await Self.repeated(exchange, gate, context.limits(replays), refusal: refusal, handler)
                return Outcome(result: repeated, verdicts: verdicts)
            }
            do {
                let reply = try await handler(context)
                context.noteUse()
                // Repeated too often it stays charged, so that free answers are bounded.
                guard reply.isChargedAsRead, await gate.passes(context.limits(replays), context.subject) else {
                    return Outcome(result: .success(reply), verdicts: verdicts + (counter?.verdicts ?? []))
                }
                return Outcome(result: .success(reply), verdicts: await gate.refund(charged, context.subject, verdicts: verdicts))
            } catch {
                let problem = Problem.error(for: error)
                if problem.code != .unauthorized { context.noteUse() }
                let uncounted = context.settle(charged, after: problem)
                let refunded = await gate.refund(uncounted, context.subject, verdicts: verdicts)
                await counter?.refundRest { context.settle($0, after: problem) }
                return Outcome(result: .failure(problem), verdicts: refunded + (counter?.verdicts ?? []))
            }
        }
    }

    /// A request over the limits with an `Idempotency-Key`, whose answer may only have been lost: its first answer, or the refusal.
    private static func repeated<Context: AccessContext>(
        _ exchange: Exchange, _ gate: RateGate, _ replays: [RatePolicy], refusal: DiaryError,
        _ handler: @Sendable (Context) async throws -> Reply
    ) async -> Result<Reply, DiaryError> {
        guard let name = FieldNames.idempotencyKey, exchange.headers[name] != nil, !replays.isEmpty else { return .failure(refusal) }
        var exchange = exchange
        exchange.mayCreate = false
        do {
            let context = try Context(exchange)
            guard await gate.passes(replays, context.subject) else { return .failure(refusal) }
            return .success(try await handler(context))
        } catch {
            let problem = Problem.error(for: error)
            return .failure(problem.code == .rateLimited ? refusal : problem)
        }
    }
}
