import WireFormats

extension GregorianDay {
    /// Postgres counts days from 2000-01-01, which is day 10,957 since 1970-01-01.
    private static let postgresEpoch: Int64 = 10_957

    /// - Parameter count: of a `date` or a `timestamp`, so within ± 10⁹.
    init(postgresDays count: Int64) { self.init(daysSince1970: Int(count + Self.postgresEpoch)) }

    var postgresDays: Int64 { Int64(daysSince1970) - Self.postgresEpoch }
}
