import HTTPTypes
import Testing

@testable import DiaryHTTP

@Suite("The language of a sign-up that names none")
struct AcceptedLanguagesTests {
    @Test(
        "is the one that the client prefers, where an account could have it",
        arguments: [
            (["de-AT,de;q=0.9,en;q=0.8"], "de-AT"), (["en;q=0.5, fr ; q=0.7,*;q=0.9"], "fr"), (["es", "de"], "es"), (["*"], nil),
            ([""], nil), ([], nil),
            (["de;q=0"], nil), (["x!;q=1,de;q=0.1"], "de"), (["de;q=nan"], nil), (["\r\nBcc: x"], nil),
        ] as [([String], String?)])
    func best(values: [String], tag: String?) {
        var headers = HTTPFields()
        for value in values { headers.append(HTTPField(name: .acceptLanguage, value: value)) }
        #expect(AcceptedLanguages.best(headers) == tag)
    }
}
