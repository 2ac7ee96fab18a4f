import Testing

@testable import PostgresClient

@Suite("Lines about refused connections")
struct RefusalLogTests {
    private let begin = ContinuousClock.now

    @Test("a server that is away gets a line at once and then one in ten seconds, which counts the refusals between")
    func away() {
        var log = RefusalLog()
        #expect(log.refused("away", at: begin) == 1)
        for tenth in 1..<100 { #expect(log.refused("away", at: begin + .milliseconds(100 * tenth)) == nil) }
        #expect(log.refused("away", at: begin + .seconds(10)) == 100)
        #expect(log.refused("away", at: begin + .seconds(19)) == nil)
        #expect(log.refused("away", at: begin + .seconds(25)) == 2)
    }

    @Test("another reason has its line without that wait, and two that take turns have one line a second")
    func reasons() {
        var log = RefusalLog()
        #expect(log.refused("away", at: begin) == 1)
        #expect(log.refused("wrong password", at: begin + .milliseconds(500)) == nil)
        #expect(log.refused("wrong password", at: begin + .seconds(1)) == 2)
        #expect(log.refused("away", at: begin + .milliseconds(1_900)) == nil)
        #expect(log.refused("wrong password", at: begin + .seconds(2)) == nil)
        #expect(log.refused("away", at: begin + .seconds(2)) == 3)
    }
}
