import DiaryCore
import FoundationEssentials

/// Tenants and acts as the commands print them. JSON is one array, or one object for one tenant.
enum TenantReport {
    private struct Row: Encodable {
        let id: String
        let slug: String
        let name: String
        let mail_from_name: String
        let mail_from: String
        let created_at: String
        let suspended_at: String?
        let `default`: Bool
        let apple_client_ids: [String]
        let google_client_ids: [String]
        let settings: [String: TenantValue]
        /// Only when its mails cannot be written.
        let mail_fault: String?

        init(_ tenant: Tenant) {
            id = tenant.id.description
            slug = tenant.slug
            name = tenant.name
            mail_from_name = tenant.mailFromName
            mail_from = tenant.mailFromAddress
            created_at = tenant.createdAt.formatted(.iso8601)
            suspended_at = tenant.suspendedAt?.formatted(.iso8601)
            `default` = tenant.isDefault
            apple_client_ids = tenant.appleClientIDs.sorted()
            google_client_ids = tenant.googleClientIDs.sorted()
            settings = tenant.configuration.values
            mail_fault = SampleMails.fault(of: tenant).map { "\($0.option): \($0.reason)" }
        }
    }

    private struct ActRow: Encodable {
        let at: String
        let act: String
        let settings: [String]
        let `operator`: String
    }

    static func show(_ tenants: [Tenant], json: Bool) throws {
        if json { return try CommandOutput.json(tenants.map(Row.init)) }
        var table = TextTable("slug", "id", "name", "state")
        for tenant in tenants {
            let state = tenant.suspendedAt == nil ? "open" : "suspended"
            table.add(tenant.slug, tenant.id.description, tenant.name, tenant.isDefault ? "\(state), default" : state)
        }
        table.show()
    }

    static func show(_ tenant: Tenant, json: Bool) throws {
        if json { return try CommandOutput.json(Row(tenant)) }
        print("\(tenant.slug)  \(tenant.id)")
        print("  name       \(tenant.name)")
        print("  mail from  \(tenant.mailFromName) <\(tenant.mailFromAddress)>")
        if let fault = SampleMails.fault(of: tenant) { print("  mails      cannot be written; \(fault.option): \(fault.reason)") }
        if let since = tenant.suspendedAt { print("  suspended  since \(since.formatted(.iso8601))") }
        if tenant.isDefault { print("  default    for requests that name no app") }
        if !tenant.appleClientIDs.isEmpty { print("  apple      \(tenant.appleClientIDs.sorted().joined(separator: " "))") }
        if !tenant.googleClientIDs.isEmpty { print("  google     \(tenant.googleClientIDs.sorted().joined(separator: " "))") }
        for (name, value) in tenant.configuration.values.sorted(by: { $0.key < $1.key }) { print("  \(name) = \(value.text)") }
    }

    static func show(_ acts: [TenantAct], json: Bool) throws {
        if json {
            return try CommandOutput.json(
                acts.map {
                    ActRow(at: $0.at.formatted(.iso8601), act: $0.kind.rawValue, settings: $0.settings, operator: $0.operator)
                })
        }
        var table = TextTable("at", "act", "operator", "settings")
        for act in acts { table.add(act.at.formatted(.iso8601), act.kind.rawValue, act.operator, act.settings.joined(separator: " ")) }
        table.show()
    }
}

extension TenantValue {
    var text: String {
        switch self {
        case .whole(let value): String(value)
        case .text(let value): value
        case .flag(let value): String(value)
        }
    }
}
