import FoundationEssentials
import WireFormats

/// The question that an app asks a member today: each of the app's list on one day, then from the first again.
package struct PromptFeature: Sendable {
    let profiles: any ProfileStore
    let tenants: any TenantStore
    let clock: WallClock

    init(_ ports: FeaturePorts) {
        profiles = ports.profiles
        tenants = ports.tenants
        clock = ports.clock
    }

    package func today(of member: Member) async throws(DiaryError) -> DailyPrompt {
        let profile = try await profiles.profile(of: member)
        let configuration = try await tenants.configuration(of: member.tenant)
        let now = clock.now()
        let local = now.wholeSeconds + (ZoneDatabase.system.offset(of: profile.timeZone, at: now) ?? 0)
        let number = (local - profile.preferences.dayEndsMinute * 60).flooredDivision(by: 86_400).quotient
        let date = GregorianDay(daysSince1970: number)
        let day = CalendarDay(LocalTime(year: date.year, month: date.month, day: date.day, hour: 0, minute: 0, second: 0))
        let languages = MailLocale.chain(profile.locale, app: configuration.text(.mailLocale))
        guard let (language, prompts) = configuration.prompts(in: languages), !prompts.isEmpty else {
            return DailyPrompt(day: day, language: nil, text: nil)
        }
        return DailyPrompt(day: day, language: language, text: prompts[number.flooredDivision(by: prompts.count).remainder])
    }
}

extension DiaryFeatures {
    package var prompts: PromptFeature { PromptFeature(ports) }
}

package struct DailyPrompt: Sendable, Equatable {
    /// The member's today, as an entry of now has it.
    package var day: CalendarDay
    /// nil, as the text is, where the app has no prompts in a language of the member or of its own.
    package var language: String?
    package var text: String?
}
