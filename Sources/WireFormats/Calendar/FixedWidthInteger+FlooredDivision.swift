extension FixedWidthInteger where Self: SignedInteger {
    /// Quotient towards minus infinity, and a remainder that is never negative.
    /// - Parameter divisor: positive.
    @inlinable
    package func flooredDivision(by divisor: Self) -> (quotient: Self, remainder: Self) {
        let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
        return remainder < 0 ? (quotient - 1, remainder + divisor) : (quotient, remainder)
    }
}
