import DiaryCore

extension ExportLinkWords {
    static let english = ExportLinkWords(
        language: .en, title: "Your # export", titleWithoutApp: "Your diary export",
        day: "Day", days: "Days", times: "Times", localTimes: "local, as where each entry was made", selection: "Selection",
        inside: "Inside",
        entries: PluralText(one: "1 entry", other: "# entries"),
        size: "Size", parts: "Parts", downloadsLeft: "Downloads left",
        numberOf: "# of ##", worksUntil: "Works until",
        withTags: "entries with the tags that were asked for", recordingsAlone: "recordings", textsAlone: "typed entries",
        oneEntry: "one entry", changesAlone: "what changed since an earlier export",
        recordings: "recordings", overview: "a page to read and search offline", texts: "texts", subtitles: "subtitles", data: "data",
        download: "Download the zip", downloadPart: "Download part # of ##",
        allUsed: "All downloads of this link are used. Ask for a new export in the app.",
        partUsed: "Part # of ##: all downloads are used.",
        costs: "Each click on the button uses one download; one that breaks off can be resumed. Reload this page to see how many are left.",
        partCosts:
            "Each part is a zip of its own, in order of time. Each click on a button uses one download of that part; one that breaks off can be resumed. Reload this page to see how many are left.",
        personal: "This link is personal: anyone who has it can download the entries. Do not pass it on.",
        expired: Advice(
            title: "The link has expired", text: "It was used up, was revoked or is too old. Ask for a new export in the app."),
        refused: Advice(title: "The link is not valid", text: "Open it again from the mail, as it was sent."),
        missing: Advice(
            title: "There is nothing here", text: "If a link of a mail led here, open it again from the mail, as it was sent."),
        method: Advice(
            title: "This address works by a button", text: "Open the link of the mail, and press the button of its page."),
        otherTitle: nil, otherText: "Please try again in a moment.", request: "Request",
        units: ["bytes", "kB", "MB", "GB"])
}
