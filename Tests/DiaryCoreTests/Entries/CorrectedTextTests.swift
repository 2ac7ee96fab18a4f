import DiaryTesting
import Testing

@testable import DiaryCore

@Suite("The text to show with corrections")
struct CorrectedTextTests {
    @Test("it goes with the recognition that it was made from, also when the next one hears the same words")
    func recognition() {
        var machine = MachinePart(raw: "we swam", clean: "We swam.", recognition: 2)
        var personal = PersonalPart()
        personal.corrected = CorrectedText("We rowed.", of: machine)
        #expect(MachinePart(plain: machine.plainBytes.span) == machine)

        // As a cleaning leaves it that finds the same text.
        machine.cleanup = Cleanup(thousandths: 970)
        personal.dropCorrected(of: machine)
        #expect(personal.corrected?.text == "We rowed.")

        machine.recognition = 5
        personal.dropCorrected(of: machine)
        #expect(personal.corrected == nil)
    }
}
