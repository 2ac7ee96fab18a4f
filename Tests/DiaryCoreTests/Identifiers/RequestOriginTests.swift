import Testing

@testable import DiaryCore

@Suite("Origins of requests")
struct RequestOriginTests {
    @Test(
        "the network of a client is the /24 of IPv4 and the /48 of IPv6, and none without an address",
        arguments: [
            ([203, 0, 113, 9], [203, 0, 113]), ([0x20, 0x01, 0x0D, 0xB8, 0, 1, 0, 2], [0x20, 0x01, 0x0D, 0xB8, 0, 1]), ([], nil),
        ] as [([UInt8], [UInt8]?)])
    func network(client: [UInt8], network: [UInt8]?) {
        #expect(RequestOrigin(requestID: "r", client: client).network == network)
    }
}
