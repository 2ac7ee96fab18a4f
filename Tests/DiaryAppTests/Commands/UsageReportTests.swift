import DiaryCore
import Testing

@testable import DiaryApp

@Suite("Reports on usage")
struct UsageReportTests {
    @Test("an app's limits stand below what it used, by the names of their settings, costs in the currency")
    func limits() throws {
        var configuration = TenantConfiguration()
        try configuration.set("limits.engine_minutes_per_day", to: "60")
        try configuration.set("limits.engine_cost_per_day", to: "250000")
        try configuration.set("budget.cost_per_day", to: "12000000")

        #expect(
            UsageReport.table(of: configuration.usageLimits).lines == [
                "LIMIT                          IS", "budget.cost_per_day            12.0000", "limits.engine_minutes_per_day  60",
                "limits.engine_tokens_per_day   none", "limits.engine_cost_per_day     0.2500", "limits.storage_bytes           none",
            ])
    }
}
