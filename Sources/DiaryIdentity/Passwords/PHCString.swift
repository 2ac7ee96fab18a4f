/// The parameters of an argon2id hash in PHC string form: `$argon2id$v=19$m=…,t=…,p=…$salt$hash`.
struct PHCString: Equatable {
    let memoryKiB: UInt32
    let passes: UInt32
    let lanes: UInt32

    /// Nil for any other form and for costs that would stall the service, because a stored hash must not set the cost.
    init?(_ text: String) {
        let parts = text.split(separator: "$", omittingEmptySubsequences: false)
        guard text.utf8.count <= 256, parts.count == 6, parts[0].isEmpty, parts[1] == "argon2id", parts[2] == "v=19",
            !parts[4].isEmpty, !parts[5].isEmpty
        else { return nil }
        let costs = parts[3].split(separator: ",", omittingEmptySubsequences: false)
        guard costs.count == 3,
            let memory = Self.cost("m=", costs[0]), (8...1_048_576).contains(memory),
            let passes = Self.cost("t=", costs[1]), (1...64).contains(passes),
            let lanes = Self.cost("p=", costs[2]), (1...16).contains(lanes)
        else { return nil }
        memoryKiB = memory
        self.passes = passes
        self.lanes = lanes
    }

    private static func cost(_ name: String, _ text: Substring) -> UInt32? {
        guard text.hasPrefix(name) else { return nil }
        return UInt32(text.dropFirst(name.count))
    }
}
