import DiaryCore
import FoundationEssentials

/// The recording and the text that `diary engines test` sends to engines. They are the service's own, so that the answers may be printed.
enum EngineSample {
    static let words = "Today I walked to the river."
    static let seconds = 1.97

    /// Speech as an engine hears it, with a filler and a repetition for a text engine to remove.
    static let transcript = RawTranscript(
        language: "en",
        segments: [
            SpeechSegment(
                start: 0, end: seconds,
                words: ["um", "today", "i", "i", "walked", "to", "the", "river"].enumerated().map { index, word in
                    TimedWord(text: word, start: Double(index) * 0.24, end: Double(index) * 0.24 + 0.2, confidence: 1)
                })
        ])

    /// Writes the recording into a folder of its own (0700), which is removed when `use` returns.
    static func withRecording<Value>(_ use: (VerifiedRecording) async throws -> Value) async throws -> Value {
        let folder = FileManager.default.temporaryDirectory.appending(component: "diary-sample-\(UUIDv7.make().lowercaseText)").path()
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
        defer { try? FileManager.default.removeItem(atPath: folder) }
        guard let recording, FileManager.default.createFile(atPath: folder + "/sample.m4a", contents: recording) else {
            throw CommandFailure("the sample cannot be written to \(folder)")
        }
        return try await use(
            VerifiedRecording(path: folder + "/sample.m4a", folder: folder, contentType: "audio/mp4", durationSeconds: seconds))
    }
}

extension EngineSample {
    /// `words`, spoken by Debian's `flite` (voice `rms`): 2 s of AAC in MP4, 16 kHz mono. Made for this project.
    static var recording: Data? { Data(base64Encoded: base64) }

    private static let base64 = """
        AAAAHGZ0eXBNNEEgAAACAE00QSBpc29taXNvMgAAA1Ztb292AAAAbG12aGQAAAAAAAAAAAAAAAAAAAPoAAAHsgABAAABAAAAAAAAAAAAAAAAAQAAAAAAAAAAAAAAAAAA\
        AAEAAAAAAAAAAAAAAAAAAEAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAACAAACpXRyYWsAAABcdGtoZAAAAAMAAAAAAAAAAAAAAAEAAAAAAAAHsgAAAAAAAAAA\
        AAAAAQEAAAAAAQAAAAAAAAAAAAAAAAAAAAEAAAAAAAAAAAAAAAAAAEAAAAAAAAAAAAAAAAAAACRlZHRzAAAAHGVsc3QAAAAAAAAAAQAAB7IAAAQAAAEAAAAAAh1tZGlh\
        AAAAIG1kaGQAAAAAAAAAAAAAAAAAAD6AAAB/IFXEAAAAAAAtaGRscgAAAAAAAAAAc291bgAAAAAAAAAAAAAAAFNvdW5kSGFuZGxlcgAAAAHIbWluZgAAABBzbWhkAAAA\
        AAAAAAAAAAAkZGluZgAAABxkcmVmAAAAAAAAAAEAAAAMdXJsIAAAAAEAAAGMc3RibAAAAGpzdHNkAAAAAAAAAAEAAABabXA0YQAAAAAAAAABAAAAAAAAAAAAAgAQAAAA\
        AD6AAAAAAAA2ZXNkcwAAAAADgICAJQABAASAgIAXQBUAAAAAAGJbAABiWwWAgIAFFAhW5QAGgICAAQIAAAAgc3R0cwAAAAAAAAACAAAAHwAABAAAAAABAAADIAAAABxz\
        dHNjAAAAAAAAAAEAAAABAAAAIAAAAAEAAACUc3RzegAAAAAAAAAAAAAAIAAAAS0AAAEhAAABDwAAAJsAAADGAAAA9AAAAKQAAACzAAAAuQAAAMMAAACtAAAAyAAAAMQA\
        AADCAAAAtgAAANEAAAC+AAAA5QAAAN8AAAClAAAAmwAAAMcAAADBAAAA4wAAAOMAAADKAAAAlgAAAKgAAAC6AAAApQAAALQAAADQAAAAFHN0Y28AAAAAAAAAAQAAA4IA\
        AAAac2dwZAEAAAByb2xsAAAAAgAAAAH//wAAABxzYmdwAAAAAHJvbGwAAAABAAAAIAAAAAEAAAA9dWR0YQAAADVtZXRhAAAAAAAAACFoZGxyAAAAAAAAAABtZGlyYXBw\
        bAAAAAAAAAAAAAAAAAhpbHN0AAAACGZyZWUAABkKbWRhdADcNShklGtFdf0vWZxv291Nc6rz64xFSl1AlWDr5vO9r8/8RvP9PTXV91S45YHOR7gY29HgQF73dGXlPYqu\
        xUzURmXrzS5gQoQR14oQPtD3csAO7sQKjWI3evQzFRhSS7yoAFETpENnbsMkCJ4jKexQVQA1hhADecxCDUmzlV4u6jGAWUDfvYYhFA3ygsr+i52zmBZIo3MMAnZLCFCx\
        ZUi2S5GVldGaimdezMbHaXvnAoNbHRVUr9PfsE85VXMWlIIseeyWyUkKe+WEgxiJ7Hpqo8ROVSynN8lJFzdBuhFEAKLJYQFGyqLHn7JEFFEAAFFs7p4iEszL5aZ7FUoj\
        v6p2ztnOzpmKWDc1fV2VGV73yeWwbuprZ4O2fOVVJux51K/oSWDOuV9fGqdYsq4A3lUsZXRhBYRBZP7zz3Na1zTK1y4qpk3qiZqqiVqqaSZvQ4JMgDgGiwtry+LFvgvM\
        aY6y88b2bVh0Qf4N6Of5fE/jvfGTQlGdwO1UzsMmqzy5uebdE7+dXPzGmgptg0O8yageAn/OYZjtwmmKItK/ChgTyoNAg3ghoXFNYy0ydVmKrbroTbf3X6XlU2ThS5wR\
        qL9LVrc146N9zi2udq4rwVjTMEd7bQQNC2QvQzxd0V1sG8FqTpvik8rT2FSQaDfhTvz3qatv9kl/F+rad+2/YWee/1T+k98FkalYltaP9Jgv40NiuRkdqa1tqCmFokVu\
        7bP5Kv3u//w66CEjYnBq5Nd3869G7h/m6XwjV5oqGm6qf5bkZ9HPzfT/NOH58jw4APSfpgj+LJUerKeajNp7CtPHfxuXWvRVaz/7f/3P1O9T3VB9/+2uvGqTN8QXc/5/\
        9AAAE6rn1WcYUdCqkD8FBXUF41XNq3MLUpQp76c+osAvdKVw62pTbSIeqonAEKziA8ES4N0oivJiPhHLOXsnFr/7NLJS9HQrT8+Wvay76ys0/VS9SGX2Z0ddQlEE9fhK\
        iOwkvEaQ+oWlGZpOTKbMy+t9PGQcNYrSU/NkOS7E4PE2OXjfoHh8pfvN6OVwDT4iz5jazsHS9DXbRcjntayoazRkzB/PQRUTq5gn2iuQ4GKLzHn+aqqw+d6jLD4H2zAp\
        P8elj19a+l8ACqt6itTZWhnx9T4mEJA+b/79vqaFhwEu9SwoUsITTIHQv/jfxWsca+8vKJ3xXcceM5uoXCJEpYqcKIduPXMO/w+o4B/wLj/baQ+wzqTG55bw1TS+aUhb\
        aJffVcLpVYSoHR2Ak98UQONAClsQ8p9pGYMW6H6E5VN5T88Idx9/cj/CQWEl861zoZzSLmW2/BUSUkSra52oKeKm7pUT2qoPFWqmqSU0FqFfPehXgrbQRLtXASxVLSly\
        FokDpDC+edU0y3E8+rcozXXjLqSro//b/HMrx8iZi633/2HE9J+x3a6PX61n913eGxSvl2p0bX76l80u1ZWZ7wQH7/9ziLhFLSPPxVVqI7iLZe3kTNsIrGxK+Qwq96sd\
        fjf7JN4uq9SBW+BLKawNzckdxlZdxUL4xKrd6RqmvwtmLNa0JitweJ6yXN3dmxwrIleq29iaKdFE6lJHje+VTjkyXHuTRtznuKEA3fYtE9TKF9r/k+O3fsXRuwqpGwBw\
        ATKfjsoR+slhuuyVajLZVmhNvH19Xee35fHE78fH9/8tauvzxz0484/0//ucdWv14Neaef4abSgFt0YhcAOC1sKbPqMxcvaKyXGEWqLA36pIFYohEB/HUTiubcWCYMGq\
        GPfr9UbiUAkGWATABEm0I7Npexc06PkrKaznASw3AyWJ4waK6qQ3iANSnW7LqyZST8PkU/pfTm2ny4DBlyeygmEIVkngNIRPvECvZDN9++OgfMii7crzQSZx809PzbIE\
        YdwBChF13PfYmcTrQhBq1+aSKK5jly8IIp4h5RPMUhM/nPFG+CLKECWtJZ95ieeO0JBrhwFk9QQ0OCktBEzTEEQvbjaePas441eKmbVXTuVfxvKOz4zbGhEiTaIcIEEz\
        uHudO5EJLGxAAUqldz7eM1G+XjYMObuDVbEsMON1s9VK6EQJwYWJuZVygwdBwHPpKf7z+GEe0XoPcFb1Dww0+W75s/9PJLaBccIAwjeTrHagWZSXMpKulJfSAudgciCJ\
        ifVHNWtCYBcrTIfuEv95Q9KFG/D91AAOAWA1JeiGKJtEQdGgRC155t31W/P7+OO9e3vnHja6KnWYOzj67j1wJCu2+P7aVOr+hcAVxvc+GN/dfoXrA1eh6WQrJtFauAXj\
        UBlYc03CCfGXFFcnBQMgmq2qhJYhXwrW3YjauGwzMHZ4QBMrBIGIZzNHVJd8GxKnYpOaDAGxDs5FifGTPYzxpTqXzUp/hfIR7QZbk7pfuLrUxv1ZuTHih4YKsRXn9EFQ\
        HQK6u1XDljWmAHABYDUkkEV7FMiC0xia9ufjnXq68/W/j7fXtfr3+PfxXGLq9tU7Ph3JYSFX9S7+oq4/cYCpd3w+wzjqGhU5etM4qcgZgNwDesTrRcjVTmJjWZ/l/lGu\
        7p+GS6MCN32yQVlUZVkQLByUkfr0ReLVTVyUKgV6iAUAtdDwKNRXZE0k/dIEqDk9Vg0RvaOtwiKXamhy1+y6zMG/G1HD97sRglKwk08FWW3Q4vprsZwru/sU+dreS4Vs\
        XCmADgFENSzsM00JEEbSoEQsvvzJme3evqu715f7V/r62rLaYlPLjZqwrFgAI94RYtOttdHZpcIhpuM7hYVwiJ6sH7Vmri5EkjgkMsGfGlw1bWwnFuEXQOCfx+PpHIps\
        qzJp50lqVQeGHMBFfX4JdZXc83wztyLFWaXTY+kE98h6KxRSmb7H3oM1Hdg+yuC11KjhhYqwLWEu+0jjByRZ8sdCofTgoU1mYDIdSQBehMaYgIFlqs7TYaNBpMe+ekdZ\
        2W91r3ADgAFENSCMuBlDTIEQslWkzhdTeplb/C3O8rgeTwVzdeNCOdy1m094sSkVddMYifX4KBsnd2ZqCB5+gK8df7fXJuXL3fHpkkELW5IzFLBk9lF6dUEExJ01r5MQ\
        BKRKmJnm90kAIldhkMHQFw2CkIEAYQ0UzALubPLOGCIWun9FGcSW2sDmmnSLjmCVAG2yP4Lv/CFgMJvzkfnMVEQZc5zw8nIBobhjjiv/HhjpvUAOAUw1LIxKIhIIhyPo\
        UDpRCqarm7rhV98eOprEv28dl3k4t3+d7jnwG0WAAjz2/BjRUdz3WKFKwFd5eqQAC7L3XOcMy840a0GT4/c/3GpGTbefVtFwf+v/yOT1PlpD5gONIDT7B+9MqJO7+S2z\
        PI/hU+38kqIwws5BRUCB7GFHzGWYRMFnnzcPdx67t9vihg+Z9uwy4qzgwuF14lrVeoHkTfy663barqvLz77K7DKx6gk3LcbzVwm6B4jGNHUTYm/S0jLz4uckwBwBVDUc\
        lHUREYaII2hQWkEKuO/NTWUl0XuWqaxzxwzNbeH30O+xpBr/cg3/5/3OukBM5I0eeAYe1KKLrn+78ZUyiKnYq7GqTKVkl9tRe9dsl1n91t++LjRZWdSGzJImDeA90vct\
        J8gHnGPUsHyQ+lTTuVpUWKBYkjmDS5H97fo24KfqL1BVZ4MfQw0XHXC2/0OW0Q5nlUxLPsAr54KELxmohWFpQuAPDAv4KGkKxU9J5qei7fUdocz2iIN3L/e/7ZtEUQDg\
        AUQ1LSjSZokDo0CIW8zrrmuKcY1nGXv28V7d88cJ4vrt5+f32z82I+Ao0y49QLgNZ7xzgcKAZj2QsKrKJf3qQMXIpG2cIvGUoyprZ0x2Z+U6gfFh4scSWbsuKmXY09lN\
        kaaxWaaiFBXzr9a+Pgwz82YBHw2WRsADPCPeb4+DOZDADP7kAMnxAAPf3ASQA+PgOJ7ff3ToaQfMG06AHfeElDCCgopqIKCv5qLVVv2q36L+qss8L8F2L8KC0Cvi2+GE\
        QAcBQjUtEHKemETfnu6quq1qkNavU3N5Jtk807vLxrvn2EbAAGqPlOO3WWsxWMZkG1lmlN7M/eCiOYxT1fO1OaIYYe48XXoEBcVJx008IK61/vu55gNoS9vjlqGoKZbg\
        O+32+x9oLw+yz/b7Ef7Xj7TFhtWf7TF4XXjCbGvayo4Sa8dlZJ+Zjp3pHkZQ7Emv3g5AeAB9oAAq23g5exLDMCm7qIGGbaE/6Qp9fv8oxac+jhv/GOYAcAFCNS3oViEr\
        TIEQu9b9u5HnucZrvic/jr6778VmXUvR5aZmd+RGwgggguWcsJEiBAii3RzYNFNMUqeOgaabONJcYtoU0VDNuAjoMDceDWbljHOZgg7NhcOo4YB8cVE/qYOjnk0WfXGk\
        gWCv8HSHwv5ufntW4XXYMzfMTPzY7/x1dl/Wl1exZ2KK0EDAoSGeAGh6isN/1TYBe0gdcZOSLfoWdk11I8axFUxqCtL58dDHus4jlkRepetTk0iyzAvi85Y9evkQAjne\
        f3/rx18qKgHAAUZVBDQ2OgypokDoUDolCaoy6u63qrPNXiczLqXk4ePHmrzxsP+ALvUf0OWxMbLidpymNFmZCcARsf380wI1PX/3wQ2ZpkqnGsvxX9VuDPDa/8NgZGG8\
        EGKxRK8McLt4k+Ykj2l9h4fbTHd8+vs1XJw+w+22Th5fNO/w+22baE7wDsB3DLkr29kZG8CH2uw2pATHKEtS0ylvOkx+dq0JoQAk4eCL+/o+4hoaqXQKJ2wXprPHuqpi\
        d0huWtAAcAEWn6YJ9DbI+ahNluxOoTaKtw5f1+pTMTL45f9ffi+Kzu/Dh45vz/Xitc4c8Ptj492sUAO3cT8OAafxok8INjBBcidgSJn1+He4T9ngzc0n/f3Afw73A4Y7\
        iUAD/IAfTMJgDivoGtwNv4an5bI/A+ST9p4vb+Vnx4BmuUlpza5gFpirMEA4KqvEREQi5itmcq2SwUZz+gWHG2RpfEdRpTnQZYQX6Z3WWsyZl572jup7G9G7r//qaz2Z\
        feWjw5P1dabGghttmxxSu4EAxYaQB7zGqeEAoQz5mFAObRQ7DEB6bw+DpAcBFp+myP4sj5qE2S81CYRZorfx9cVNvE5+N2/2+fa9yZ3jh4ZX3/tOvF73vH49K1+xFCoF\
        t3Ef77dwBSG3f8ceNurfkFuq7AVd3m74N7YkFC5EiXG8MVcoSgBr4KAFACNy9ABpmMIAtJV5VMTiMNFPBSK783qbysu1f2uPzDHznbFoEwrY1qE5YfP2s+Zx85H5gweu\
        34wGq3P+XYCDCVuYK6B54vL77WrK0IDnz9J/XD4/XbkG8AP/f67v9+/1I1ssHlP076F0SadXD441V5AI303qtq58Pt1AB/Xf0bA4AV71BDQ2IV0CYtMgRC+OOVOo+L1N\
        zXPqXzrTxurVbh2anPGUESGEpTRLDCeYZ2NEDH7UuAH2YUCHZq/1VdlwFAPEnGgeE47G0XqVVpW7+k79IwOuR3JWiEMbIEHZQAO9JG453g3M7C277gJ9wAA/8ePwH/ht\
        Yyfn3w11/ytVDUQUl/5XY3US52l18WxvcI5TF78muivS8S+NJfmuxVVsXhZf4ABwAUY1KIxBug9GIdEQdCFecvL6fjvjxx6nOurN+9zW6HkJJoQ7mJGZYrwIJM2L81c1\
        YcQFBFJgfPslDH99GWiVz55j4pfER5/0g++6jkfwhbcfiba0zZlh8trbmUz9q/xmKccUbo54tqcKQ+WhPXosoWrYD7BGgW4FoFB4RA7GORwuekxu1KcCkJbf6fnT7gwR\
        qT3b/tht7IEmOXABSjUtKRIpj0KC0ZBELJerqnPmJWarJJft6rc1rxMPP9ZZ9gmpYGoFnNwopkd5eoUTqGArxuwnEgiF0Al0MzAxVy3P+r6i4C4kSB2KJ19QtW1F2tu5\
        aDiEtc+76vy1h8Rm+f2FvM4/Kq7ddTVtj4LzQD9PhgDGu27jnTAefVjSRH3MDTQyGbbOBc0m2W5txiWBrp0/rUubCO9V1osxPCmMQPbtRzNCsUS8VQk4ZIYSRQK01MNo\
        maQ5OXP3H9Wb3OT3jlbfMAHAATxVLHRkIxifpiCIXPPtzOO/jJdXVTLzrStZxVKnR1S+6r5jSTNJ4BJkAcZnJAkYGCuAZzi6dHja1BS5RXGBj04durVerff2bKKxnONv\
        pUQ40cvacatD+qV7UTEN4cvjn7MftT42/mrwaduuZxdEIQF8BQIbMBuDpcFMZmVnhDug/wAdtPvlbQu2lnbCwJhMvIHwApWikwD7cIUG3HdDAB8LAfvlRYFsEPiHLNTW\
        R8JdhfzTfT/buY2Tw6/F4qKgDgE0n7bSwercRSPFuKiF6RL39su5x8d+zffP3+wHt37Se+/8f0gDjqPL7Dn7iNtdEd/yiFXVGh4W23KXoLWcU9O+mVx19J/QzBKIJiEW\
        7uENlduaYqAACofMANwEzZAhZs5NUS01i0MDnfWTB6d0rKi58HUY83mx8taGXuUBoITcUFi1d0Z9bS/J9tQSjzK+XJ6oi1GMNrkUP5CqF3TUHIUGsARDUDmGqAJSecEO\
        BdUJXLtjZe3wSsrtSpDw4XTAKGMCG+ZP4MghCnKqOK0OueZc/RtCC24bzOQ/Nhz6BwCMBAOAATqftswhTFINswlyIibtF2bevrVKlo899t8eQE1yxft3nFbEoht0jf8h\
        q/0XS/LSx3G6pa45rWYa8a1Mi6fbtb3GxOrRVX700zphBpq5FuVwCCsQq3gdjyaKieFbmAdhQKB9hTKCYekORvmKqf9w6F+fmIc0LPRFoDvOwqSL10MZ8en4nDc6Ojp1\
        Ntdvo7WtIu5mmIpHc9N1UZYjjbitps2NYf5xPoeNLIXpQ3eeJwg85xjnhzAn4HSPJfQbev60c0Ee/dHlvUYaWjC8G6mLMXUDJPGxplDSrCQSyifbU0R6hccBKp+myP4s\
        lhukVaLvXbKjtL+v6+3jPadrjxL/19vx6489VKt4eOZ/GvPh5+/nuXfy9fxPj1XH10u9faLbuB6JAae6NdXPnL0RD80cJ/JfYXtLU567Tpdb9YYoijBPI9RSJ5kJoKYo\
        5KjWEgBKwID2QHwf5ueSQxs/JF9gNAh8i0TvUz6GNZ5P4nGbiCoU2hEOOEl1R5oh3a6OpXO8hEUIOY3s1nuk0mQAra2jaF4LwrVqG3OUtyih/Rb7qz7H1h9MG7gUqlkD\
        5BLgAUj1IUR2GRBVoRDpRC3WmZrd3xqqzJ3xV+3EvjvbjUx1z7+N999go7jE1RQi+twcWbF8cQoUEMDRUo1UmzqcHBYaSGoo7nNqL3Cwg9am1oIs4S5S0uiy52rKVrpY\
        pQde6RN1T44LoX3k+qmEMjvXJiMJJaUjFGkrWhLE9GxKGVWGGM5rw8wx4ol5QPI8OWHVEBuimQAHATQ1KIxCSxRZpkDoXOX5xMkmtczfPC5v6Zqsdakdep43z+nQjhAC\
        sqEcE9x3m6OSa8qQXYrNb5Kmjb5rvJZHNz++OROQQaFkv41mPuWpbTP0BpShd2H84Y+HP/I5S1+SL7W8KZevJ93kwe/yRM8PjapXkyQvP3TqXXnp6Ttu69/99dlyxd2P\
        T8fx7YflDNCtf8ZpieeL7mScY0Kz5u7PnImkXFelVdq8ASo1IImSLokDpFCUk3xOtTCX+al7SLyEh79fjKmRpJl8AAk2AAAaQgElJus5CxOxKryQpc6luFcRXweqE9Dq\
        8lpiVHEZdeNkw4BsgDbPKeKlMVq6qK6VCSWzfZQWrVqQpEA2ATUgoppB4dBLWcTp8I/UP1H7fnBetCIkvKAz34xVVA3/tm24fP574z1Xq8AkXiU+mwAbC3m8NvT+wPqR\
        jsVQlx/QGPs+tuKdPPz+ddN3quvp3CKxBAAcASY1GIVUVphCy73xzq9ZS+Oenfd3lLoukmPO6pn3BJTihiW7tk4YYVh/hbydBzYP+r1Aov/XX4r4Torn6bQmszzKjSSq\
        Ppj+jNm6EZKIff4zfHwGAPt+4L/K/qrRrlv/6b+lHtk5TqRLwoNXtdVWtQwsfEUdfEV8FQgw3gvBJ/FRULwkjzRrCz8axxVTUQ3IKsFfOvntEnDQCoVWvaj+WXzWusA4\
        ARA1GKTmERmCSNGgtCru7tjqu7vWcV44Vcqc3UBHvl3VinVrz9fDwxov5drvhhILJZlrAdhAfGYfAe0B1g92+YwGdTp1egXkRzmjCSuQ0fAfcNhBzfEEITlPThkH04kg\
        8gh9+7tPGHFkCnFvP7kAuczY9/lzsid9ybyNpKb7of+HoVZ1LfbOZDADm0aF5weDNWp3i6AfdLwbOZdcW6rgSy7NrNB/mxx3FNJR1WiBySUSalneAQA1GKXxoNS1Smr3\
        oZmq4ZeUqVNZFRIoBXhfjMTuIF3dotXgLNZubNCHzZFuQp0JfW5oCnYRmaTM3C7CMywfMGwB7+8K3M5BMLZ8zsIdhfd5ufQ5nhbhGTMPj4zZ/eEB0nYQAkoNAfgfd99A\
        DobD8GjI7zZmkk6QEIVnm3E77+5fBn3YX8x/gABwJ5vj43E3kCxny5g7oDpOk6Xvl+M2fthASQBQWhTBccBSUF+a8q+NfzWymndmH9VBTT/OttNQgrOmmnxhdmq4U1ay\
        FWBT8A==
        """
}
