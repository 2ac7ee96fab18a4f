import DiaryIdentity
import Testing

@Suite("B12: password rules")
struct PasswordRulesTests {
    private let rules = PasswordRules()

    @Test(
        "B12: is accepted",
        arguments: [
            "correct horse battery staple", "Vq7#mTz2!kLp", "the quiet heron eats at noon", "ждёмвеснуутра", "山の上の小さな家は静かで青い",
            "🙂🙃🦉🌧🍐🚲📎🧦🪁🎻🧊🫖",
            "nul\0inside\0it!", "blaue Socken im Kühlschrank", "    twelve spaces around    ", "9f3c1e7a50b2d864",
            "xk2-Wq9-monkey-7fT",
        ])
    func taken(password: String) throws {
        #expect(throws: Never.self) { try rules.check(password) }
    }

    @Test("B12: is too short", arguments: ["", "Vq7#mTz2!kL", "🙂🙂🙂🙂🙂🙂🙂🙂🙂🙂🙂"])
    func tooShort(password: String) {
        #expect(throws: PasswordProblem.tooShort) { try rules.check(password) }
    }

    @Test("B12: 64 and 1024 bytes are accepted, 1025 are not, and a megabyte is answered quickly")
    func length() throws {
        let codes: [UInt8] = (0..<1024).map { (number: Int) -> UInt8 in
            let mixed = number * number * 7 + number * 31
            return UInt8(33 + mixed % 90)
        }
        let long = String(decoding: codes, as: UTF8.self)

        #expect(throws: Never.self) { try rules.check(String(long.prefix(64))) }
        #expect(throws: Never.self) { try rules.check(long) }
        #expect(throws: PasswordProblem.tooLong) { try rules.check(long + "x") }
        #expect(throws: PasswordProblem.tooLong) { try rules.check(String(repeating: "é", count: 1 << 19)) }
    }

    @Test(
        "B12: is common",
        arguments: [
            "password1234", "Password123!", "P@ssw0rd2024", "passwordpassword", "iloveyou1234", "ILoveYou!!!!", "letmein12345",
            "monkey!monkey",
            "welcome2025!", "sunshine2024", "administrator", "football1990", "princess1234!", "superman12345", "dragon-dragon",
            "trustno1trustno1",
            "Passw0rd!Passw0rd!", "charlie-12345", "computer!2023", "changeme1234", "mustang-ferrari", "12345password",
        ])
    func common(password: String) {
        #expect(throws: PasswordProblem.common) { try rules.check(password) }
    }

    @Test(
        "B12: is predictable",
        arguments: [
            "aaaaaaaaaaaa", "123456789012", "abcdefghijkl", "qwertyuiop12", "1q1q1q1q1q1q", "monkeymonkey", "abcabcabcabc", "zyxwvutsrqpo",
            "000000000000", "qwertzuiopas",
            "111222333444", "987654321098", "            ", "abcd1234efgh", "asdfghjklasdf",
        ])
    func predictable(password: String) {
        #expect(throws: PasswordProblem.predictable) { try rules.check(password) }
    }

    @Test("B12: is made of the account's own address or the product's name")
    func personal() {
        let context = ["orchard.lantern@example.org", "Toukan"]

        for password in ["orchardlantern", "OrchardLantern1!", "lantern123456", "toukan-toukan-1", "T0ukan!T0ukan!"] {
            #expect(throws: PasswordProblem.personal) { try rules.check(password, context: context) }
        }
        #expect(throws: Never.self) { try rules.check("orchard eats plums at dawn", context: context) }
    }
}
