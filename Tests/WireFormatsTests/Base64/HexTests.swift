import Testing
import WireFormats

@Suite("Hex digits")
struct HexTests {
    @Test("hex writes lower case, reads both, and refuses the rest")
    func hexadecimal() {
        #expect(Hex.encode([0x00, 0x9f, 0xff]) == "009fff")
        #expect(Hex.decode("009FfF") == [0x00, 0x9f, 0xff])
        for text in ["0", "0g", " 00", "0x00", "００", "/0", ":0", "@0", "`0"] { #expect(Hex.decode(text) == nil) }
    }

    @Test("every length of random bytes survives")
    func roundTrips() {
        for count in 0..<200 {
            let bytes = (0..<count).map { _ in UInt8.random(in: .min ... .max) }
            #expect(Hex.decode(Hex.encode(bytes)) == bytes)
        }
    }
}
