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
    package let limits: [RatePolicy]
    /// Bytes of body at most; nil is the JSON limit.
    package let bodyLimit: Int64?
    let run: @Sendable (Exchange, RateGate) async -> Outcome

    /// The reply or the error of a request, and the verdicts to announce with either.
    struct Outcome: Sendable {
        var result: Result<Reply, DiaryError>
        var verdicts: [RateVerdict] = []
    }

    package init<Context: AccessContext>(
        _ method: HTTPRequest.Method, _ template: String, bodyLimit: Int64? = nil, limits: [RatePolicy] = [],
        handler: @escaping @Sendable (Context) async throws -> Reply
    ) {
        self.method = method
        self.template = template
        self.limits = limits
        self.bodyLimit = bodyLimit
        access = Context.access
        run = { exchange, gate in
            let context: Context
            do throws(DiaryError) { context = try Context(exchange) } catch { return Outcome(result: .failure(error)) }
            let charged = context.limits(limits)
            let verdicts = await gate.charge(charged, context.subject)
            // A refusal has charged nothing, so there is nothing to refund.
            if let refusal = RateGate.refusal(verdicts) { return Outcome(result: .failure(refusal), verdicts: verdicts) }
            do {
                return Outcome(result: .success(try await handler(context)), verdicts: verdicts)
            } catch {
                let problem = Problem.error(for: error)
                let uncounted = context.settle(charged, after: problem)
                return Outcome(result: .failure(problem), verdicts: await gate.refund(uncounted, context.subject, verdicts: verdicts))
            }
        }
    }
}
