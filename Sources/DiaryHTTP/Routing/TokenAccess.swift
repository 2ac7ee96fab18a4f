package import DiaryCore
import HTTPTypes

/// What an operation asks of an API token. `openapi.yaml` says the same at each operation (`apiToken`); tests compare both.
package enum TokenAccess: Sendable, Equatable {
    /// It takes a session and no token: what the account is, who may enter it, and tokens themselves.
    case session
    /// A token with each of these scopes, or with `all`. What shows or changes what is there asks for both scopes of entries: with
    /// `entries:write` alone a lost device can add to the diary and read nothing of it. Operations that add may answer with an entry that was
    /// there: `MemberContext.shown` takes its words away.
    case scopes(Set<APITokenScope>)

    /// An operation that is not listed takes no token.
    static func of(_ method: HTTPRequest.Method, _ template: String) -> TokenAccess {
        operations["\(method.rawValue) \(template)"] ?? .session
    }

    func require(_ held: Set<APITokenScope>) throws(DiaryError) {
        switch self {
        case .session: throw DiaryError(.insufficientScope, detail: "A session is needed; no API token may do this.")
        case .scopes(let needed):
            let lacking = held.contains(.all) ? [] : needed.subtracting(held)
            guard lacking.isEmpty else {
                let names = lacking.map(\.rawValue).sorted().joined(separator: ", ")
                throw DiaryError(.insufficientScope, detail: "The API token lacks: \(names).")
            }
        }
    }

    private static let read = TokenAccess.scopes([.entriesRead])
    private static let add = TokenAccess.scopes([.entriesWrite])
    private static let change = TokenAccess.scopes([.entriesRead, .entriesWrite])
    private static let exports = TokenAccess.scopes([.exports])
    private static let all = TokenAccess.scopes([.all])

    /// Every operation that takes a session.
    static let operations: [String: TokenAccess] = [
        "POST /v1/auth/logout": .session,
        "GET /v1/me": all,
        "PATCH /v1/me": .session,
        "DELETE /v1/me": .session,
        "GET /v1/me/stats": read,
        "GET /v1/me/events": .session,
        "POST /v1/me/password": .session,
        "POST /v1/me/email/confirm": .session,
        "POST /v1/me/reauthenticate": .session,
        "GET /v1/me/identities": .session,
        "POST /v1/me/identities": .session,
        "DELETE /v1/me/identities/{id}": .session,
        "GET /v1/me/tokens": .session,
        "POST /v1/me/tokens": .session,
        "DELETE /v1/me/tokens/{id}": .session,
        "GET /v1/sessions": .session,
        "DELETE /v1/sessions": .session,
        "DELETE /v1/sessions/{id}": .session,

        "POST /upload": add,
        "POST /v1/entries": add,
        "POST /v1/uploads/{id}/url": add,
        "POST /v1/uploads/{id}/parts": add,
        "GET /v1/uploads/{id}/parts": add,
        "DELETE /v1/uploads/{id}/parts": add,
        "POST /v1/uploads/{id}/complete": add,

        "GET /v1/entries": read,
        "GET /v1/entries/days": read,
        "GET /v1/entries/on-this-day": read,
        "GET /v1/entries/{id}": read,
        "GET /v1/entries/{id}/revisions": read,
        "GET /v1/entries/{id}/audio/url": read,
        "GET /v1/entries/{id}/waveform": read,
        "GET /v1/entries/{id}/transcript": read,
        "GET /v1/entries/{id}/transcript/file": read,
        "GET /v1/entries/{id}/bundle.zip": read,
        "GET /v1/changes": read,
        "GET /v1/search": read,
        "GET /v1/trash": read,
        "GET /v1/tags": read,
        "GET /v1/moods": read,
        "GET /v1/speakers": read,
        "GET /v1/prompts/today": read,

        "POST /v1/entries/batch": change,
        "PATCH /v1/entries/{id}": change,
        "DELETE /v1/entries/{id}": change,
        "POST /v1/entries/{id}/restore": change,
        "POST /v1/entries/{id}/copy": change,
        "POST /v1/entries/{id}/suggestions": change,
        "POST /v1/entries/{id}/reprocess": change,
        "POST /v1/entries/{id}/notes": change,
        "PATCH /v1/entries/{id}/notes/{note}": change,
        "DELETE /v1/entries/{id}/notes/{note}": change,
        "DELETE /v1/entries/{id}/audio": change,
        "POST /v1/entries/{id}/audio": change,
        "PUT /v1/entries/{id}/transcript": change,
        "PATCH /v1/entries/{id}/segments": change,
        "PATCH /v1/entries/{id}/segments/{segment}": change,
        "PATCH /v1/entries/{id}/speakers": change,
        "PATCH /v1/tags/{name}": change,
        "DELETE /v1/tags/{name}": change,
        "POST /v1/speakers": change,
        "PATCH /v1/speakers/{id}": change,
        "DELETE /v1/speakers/{id}": change,

        "POST /v1/exports": exports,
        "POST /v1/exports/estimate": exports,
        "GET /v1/exports": exports,
        "GET /v1/exports/{id}": exports,
        "DELETE /v1/exports/{id}": exports,
        "GET /v1/exports/{id}/url": exports,
        "POST /v1/exports/{id}/mail": exports,
        "POST /v1/export-schedules": exports,
        "GET /v1/export-schedules": exports,
        "GET /v1/export-schedules/{id}": exports,
        "PATCH /v1/export-schedules/{id}": exports,
        "DELETE /v1/export-schedules/{id}": exports,
        "POST /v1/export-schedules/{id}/run": exports,

        "POST /v1/imports": all,
        "GET /v1/imports": all,
        "GET /v1/imports/{id}": all,
        "GET /v1/imports/{id}/report": all,
        "DELETE /v1/imports/{id}": all,
    ]
}
