import DiaryCore
import FoundationEssentials

/// Tenants and acts as the commands print them. JSON is one array, or one object for one tenant.
enum TenantReport {
    static let form = ReportForm<Tenant>(
        .field("slug") { $0.slug },
        .field("id") { $0.id.description },
        .field("name") { $0.name },
        .member("mail_from_name") { $0.mailFromName },
        .member("mail_from") { $0.mailFromAddress },
        .member("created_at") { $0.createdAt },
        .member("suspended_at") { $0.suspendedAt },
        .member("default") { $0.isDefault },
        .column("state") { ($0.suspendedAt == nil ? "open" : "suspended") + ($0.isDefault ? ", default" : "") },
        .member("apple_client_ids") { $0.appleClientIDs.sorted() },
        .member("google_client_ids") { $0.googleClientIDs.sorted() },
        .member("settings") { $0.configuration.values },
        // Only when its mails cannot be written.
        .member("mail_fault") { SampleMails.fault(of: $0).map { "\($0.option): \($0.reason)" } })

    static let acts = ReportForm<TenantAct>(
        .field("at") { $0.at },
        .field("act") { $0.kind.rawValue },
        .field("operator") { $0.operator },
        .field("settings") { $0.settings })

    static func show(_ tenant: Tenant, json: Bool) {
        if json { return form.show(json: tenant) }
        print("\(tenant.slug)  \(tenant.id)")
        print("  name       \(tenant.name)")
        print("  mail from  \(tenant.mailFromName) <\(tenant.mailFromAddress)>")
        if let fault = SampleMails.fault(of: tenant) { print("  mails      cannot be written; \(fault.option): \(fault.reason)") }
        if let since = tenant.suspendedAt { print("  suspended  since \(since.text)") }
        if tenant.isDefault { print("  default    for requests that name no app") }
        if !tenant.appleClientIDs.isEmpty { print("  apple      \(tenant.appleClientIDs.sorted().joined(separator: " "))") }
        if !tenant.googleClientIDs.isEmpty { print("  google     \(tenant.googleClientIDs.sorted().joined(separator: " "))") }
        for (name, value) in tenant.configuration.values.sorted(by: { $0.key < $1.key }) {
            print("  \(name) = \(value.text.split(whereSeparator: \.isNewline).joined(separator: " | "))")
        }
    }
}

extension TenantValue: ReportValue {
    var cell: String { text }

    var text: String {
        switch self {
        case .whole(let value): String(value)
        case .text(let value): value
        case .flag(let value): String(value)
        }
    }
}
