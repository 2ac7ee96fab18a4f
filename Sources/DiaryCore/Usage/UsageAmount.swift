/// What calls of engines used, or what one may use.
package struct UsageAmount: Sendable, Equatable {
    package var audioMilliseconds: Int64 = 0
    package var inputTokens: Int64 = 0
    package var outputTokens: Int64 = 0
    /// In millionths of the operator's currency.
    package var cost: Int64 = 0

    package init(audioMilliseconds: Int64 = 0, inputTokens: Int64 = 0, outputTokens: Int64 = 0, cost: Int64 = 0) {
        self.audioMilliseconds = audioMilliseconds
        self.inputTokens = inputTokens
        self.outputTokens = outputTokens
        self.cost = cost
    }

    package var tokens: Int64 { inputTokens + outputTokens }
    package var audioSeconds: Double { Double(audioMilliseconds) / 1_000 }
}

extension UsageAmount {
    /// No answer of a server can make a sum overflow.
    private static let most: Int64 = 1_000_000_000_000

    /// The amount that an engine says it used.
    package init(_ use: EngineUse, of engine: EngineSettings) {
        self.init(
            audioMilliseconds: Self.milliseconds(use.audioSeconds), inputTokens: Self.bounded(Int64(use.inputTokens)),
            outputTokens: Self.bounded(Int64(use.outputTokens)),
            cost: Self.bounded(
                engine.price.cost(audioSeconds: use.audioSeconds, inputTokens: use.inputTokens, outputTokens: use.outputTokens)))
    }

    /// The most that a call uses, with few exceptions: a server counts about one token for four characters of English and one for each of
    /// Chinese, the instructions come on top, and the answer is no longer than the text. Engines on the machine count no tokens.
    package init(expecting call: EngineCall, of engine: EngineSettings) {
        let tokens = engine.stage == .text && engine.kind.isServer ? min(max(0, call.characters), 1_000_000_000) : 0
        let input = tokens == 0 ? 0 : tokens + Self.instructionTokens
        self.init(
            EngineUse(audioSeconds: engine.stage == .speech ? call.audioSeconds : 0, inputTokens: input, outputTokens: tokens), of: engine)
    }

    private static let instructionTokens = 1_000

    private static func bounded(_ value: Int64) -> Int64 { min(max(0, value), most) }

    /// Rounded up.
    private static func milliseconds(_ seconds: Double) -> Int64 {
        guard seconds.isFinite else { return 0 }
        return Int64(exactly: (min(max(0, seconds), 1e9) * 1_000).rounded(.up)) ?? 0
    }
}

/// What engines may use in a day, and what an account may store; nil where there is no limit. Days are those of UTC.
package struct UsageLimits: Sendable, Equatable {
    /// Minutes of audio, for each account.
    package var minutesPerDay: Int64?
    /// Tokens sent and received together, for each account.
    package var tokensPerDay: Int64?
    /// Cost for each account, in millionths of the operator's currency.
    package var costPerDay: Int64?
    /// Cost for all the app's accounts together, in millionths.
    package var appCostPerDay: Int64?
    /// Bytes of recordings, for each account.
    package var storageBytes: Int64?
}

extension UsageLimits {
    /// Of audio, of each account.
    package var secondsPerDay: Double? { minutesPerDay.map { Double($0) * 60 } }
}

extension TenantConfiguration {
    package var usageLimits: UsageLimits {
        UsageLimits(
            minutesPerDay: whole(.engineMinutesPerDay), tokensPerDay: whole(.engineTokensPerDay), costPerDay: whole(.engineCostPerDay),
            appCostPerDay: whole(.appCostPerDay), storageBytes: whole(.storageBytes))
    }
}

/// What an account has used today (UTC) and what it stores.
package struct AccountUsage: Sendable, Equatable {
    package var day: CalendarDay? = nil
    package var today: UsageAmount = UsageAmount()
    /// Bytes of recordings, from their announcement on; deleted and expired ones do not count.
    package var storedBytes: Int64 = 0

    package init(day: CalendarDay? = nil, today: UsageAmount = UsageAmount(), storedBytes: Int64 = 0) {
        self.day = day
        self.today = today
        self.storedBytes = storedBytes
    }
}

/// What one day, or one account in a range of days, used.
package struct AppUsage<Key: Sendable>: Sendable {
    package let key: Key
    package let amount: UsageAmount
    /// Calls of engines that answered.
    package let calls: Int64
    /// Bytes that an account stores now; nil for a day.
    package var storedBytes: Int64? = nil

    package init(key: Key, amount: UsageAmount, calls: Int64, storedBytes: Int64? = nil) {
        self.key = key
        self.amount = amount
        self.calls = calls
        self.storedBytes = storedBytes
    }
}
