import DiaryCore
import WireFormats

/// How the answers of an OpenAI-compatible server are treated that are no results (A10). Causes are constants and numbers: no part of an
/// answer is kept.
enum OpenAIFault {
    /// An answer's status, with the `code` or `type` of its error object and its `param`, compared with known words only.
    /// - Parameter flagsInput: the error object says that the request's content was flagged.
    /// - Returns: nil for a result.
    static func failure(
        status: Int, code: String? = nil, parameter: String? = nil, flagsInput: Bool = false, retryAfter: Double? = nil, stage: EngineStage
    ) -> ProviderFailure? {
        // One recording or text, not the key: without its marks a 403 stops the engine for all apps.
        if status == 403, flagsInput { return flagged(stage).fromEngine }
        return classify(status, code, parameter, retryAfter, stage)?.fromEngine
    }

    /// Values of `code` or `type` with which servers say that they refuse what the request contains.
    static let flags: Set<String> = ["content_policy_violation", "content_filter", "moderation"]

    /// As a 400 for the content.
    private static func flagged(_ stage: EngineStage) -> ProviderFailure {
        ProviderFailure(
            .permanent, code: stage == .speech ? .mediaUnsupported : .cleanupUnavailable, cause: "status 403: the content is refused")
    }

    private static func classify(
        _ status: Int, _ code: String?, _ parameter: String?, _ retryAfter: Double?, _ stage: EngineStage
    ) -> ProviderFailure? {
        let unavailable = unavailable(stage)
        switch status {
        case 200..<300: return nil
        case 300..<400: return ProviderFailure(.configuration, code: unavailable, cause: "redirected")
        case 401, 402, 403, 407: return ProviderFailure(.configuration, code: .engineRefused, cause: "status \(status)")
        // The account has no credit left: asking again does not help before an operator has paid.
        case 429 where ["insufficient_quota", "billing_hard_limit_reached", "billing_not_active"].contains(code):
            return ProviderFailure(.configuration, code: .engineRefused, cause: "status 429: no credit")
        case 408, 409, 425, 429: return ProviderFailure(.retry, code: unavailable, retryAfter: retryAfter, cause: "status \(status)")
        case 413:
            return ProviderFailure(.permanent, code: stage == .speech ? .mediaLimits : .textTooLong, cause: "status 413")
        case 400, 415, 422: return refusal(status, code, parameter, stage)
        case 404, 405, 410: return ProviderFailure(.configuration, code: unavailable, cause: "status \(status): no such model or URL")
        case 501, 505: return ProviderFailure(.configuration, code: unavailable, cause: "status \(status)")
        case 500...599: return ProviderFailure(.retry, code: unavailable, retryAfter: retryAfter, cause: "status \(status)")
        default: return ProviderFailure(.configuration, code: unavailable, cause: "status \(status)")
        }
    }

    /// A request that the server understood and does not take: mostly for its content.
    private static func refusal(_ status: Int, _ code: String?, _ parameter: String?, _ stage: EngineStage) -> ProviderFailure {
        switch parameter {
        case "prompt" where stage == .speech: return hintsRefused
        case let name? where stage == .speech && name.hasPrefix("known_speaker"): return speakersRefused
        case "language" where stage == .speech:
            return ProviderFailure(.permanent, code: .languageUnsupported, cause: "status \(status): the language is refused")
        // Not the recording's or the text's fault.
        case "model", "response_format", "timestamp_granularities", "timestamp_granularities[]", "chunking_strategy", "include",
            "include[]":
            return ProviderFailure(.configuration, code: unavailable(stage), cause: "status \(status): the model or a parameter is refused")
        default: break
        }
        switch code {
        // What one recording, text or app's prompt is made of: the engine goes on for the others.
        case "unsupported_value" where isContent(parameter):
            return ProviderFailure(
                .permanent, code: stage == .speech ? .mediaUnsupported : .cleanupUnavailable,
                cause: "status \(status): the content is refused")
        case "model_not_found", "unsupported_parameter", "unsupported_value", "unknown_parameter", "missing_required_parameter":
            return ProviderFailure(.configuration, code: unavailable(stage), cause: "status \(status): the model or a parameter is refused")
        case "invalid_api_key", "invalid_organization":
            return ProviderFailure(.configuration, code: .engineRefused, cause: "status \(status): the key is refused")
        case "context_length_exceeded", "string_above_max_length", "max_tokens_exceeded":
            return ProviderFailure(
                .permanent, code: stage == .speech ? .mediaLimits : .textTooLong, cause: "status \(status): too long for the model")
        default:
            return ProviderFailure(
                .permanent, code: stage == .speech ? .mediaUnsupported : .cleanupUnavailable, cause: "status \(status)")
        }
    }

    /// No complete answer came. What this machine did not send, or gave up, is not the engine's failure.
    static func failure(_ loss: Loss, stage: EngineStage) -> ProviderFailure {
        switch loss {
        case .timedOut:
            ProviderFailure(.retry, code: stage == .speech ? .speechTimeout : .cleanupUnavailable, cause: "no answer in time").fromEngine
        case .tooSlow:
            ProviderFailure(.retry, code: stage == .speech ? .speechTimeout : .cleanupUnavailable, cause: "the answer came too slowly")
                .fromEngine
        case .notConnected: ProviderFailure(.retry, code: unavailable(stage), cause: "could not connect").fromEngine
        case .notSecured: ProviderFailure(.retry, code: unavailable(stage), cause: "TLS failed").fromEngine
        case .cut: ProviderFailure(.retry, code: unavailable(stage), cause: "the connection was cut").fromEngine
        case .tooLarge: ProviderFailure(.permanent, code: unreadable(stage), cause: "the answer is too large").fromEngine
        case .notAllowed:
            ProviderFailure(
                .configuration, code: unavailable(stage), cause: "the URL cannot be used, or its host has a private address"
            ).fromEngine
        case .cancelled: ProviderFailure(.retry, code: .unexpected, cause: "cancelled")
        case .unreadableFile: ProviderFailure(.retry, code: .unexpected, cause: "the recording could not be read")
        }
    }

    enum Loss: Error, Sendable, CaseIterable {
        case timedOut, tooSlow, notConnected, notSecured, cut, tooLarge, notAllowed, cancelled, unreadableFile
    }

    /// A 200 whose body is not what was asked for: HTML of a proxy, another shape. It depends on the recording or the text, mostly, and would
    /// come again; the server works.
    static func malformed(_ stage: EngineStage) -> ProviderFailure {
        ProviderFailure(.permanent, code: unreadable(stage), cause: "status 200 without a usable answer").fromEngine
    }

    /// The error object in a 200 without a result: of whisper.cpp's server, and of gateways, which may put a status into it.
    /// - Returns: nil without one.
    static func failure(in answer: JSONObject, stage: EngineStage) -> ProviderFailure? {
        guard let value = answer["error"] ?? answer["choices"]?.array?.first?.object?["error"] else { return nil }
        let error = value.object
        guard error?.isEmpty == false || value.string?.isEmpty == false || value == .bool(true) else { return nil }
        if error?["param"]?.string?.hasPrefix("response_format") == true { return formatRefused(stage) }
        let number = error?["code"]?.count ?? error?["status"]?.count ?? 400
        let status = (400...599).contains(number) ? number : 400
        let words = [error?["code"]?.string, error?["type"]?.string].compactMap(\.self)
        var failure = failure(
            status: status, code: words.first, parameter: error?["param"]?.string,
            flagsInput: error?["metadata"]?.object?["flagged_input"] != nil || !flags.isDisjoint(with: words), stage: stage)
        // The breaker is for servers that do not answer.
        if failure?.treatment == .retry { failure?.isFromEngine = false }
        return failure
    }

    /// A role is not content: some models know no system message.
    private static func isContent(_ parameter: String?) -> Bool {
        guard let parameter else { return false }
        return parameter == "file" || parameter.hasPrefix("messages") && !parameter.hasSuffix("role")
    }

    /// The model takes no hints, or not those of this account.
    static let hintsRefused = ProviderFailure(.permanent, code: .mediaUnsupported, cause: "prompt is refused").fromEngine

    /// The server takes no voices of speakers, or not those of this recording.
    static let speakersRefused = ProviderFailure(.permanent, code: .mediaUnsupported, cause: "known speakers are refused").fromEngine

    /// The server takes no `response_format`, or not one of this kind.
    static func formatRefused(_ stage: EngineStage) -> ProviderFailure {
        ProviderFailure(.configuration, code: unavailable(stage), cause: "response_format is refused").fromEngine
    }

    static func unavailable(_ stage: EngineStage) -> ProcessingCode { stage == .speech ? .speechUnavailable : .cleanupUnavailable }

    private static func unreadable(_ stage: EngineStage) -> ProcessingCode { stage == .speech ? .speechUnreadable : .cleanupUnavailable }
}
