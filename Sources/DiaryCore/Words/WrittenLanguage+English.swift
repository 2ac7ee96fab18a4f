/// All that the service says in English; ``LanguageFile`` says in which form.
extension WrittenLanguage {
    static let english = """
        [numbers]
        thousands: ,
        tenths: .
        one: 1

        [dates]
        months: January | February | March | April | May | June | July | August | September | October | November | December
        day: #
        firstDay: #
        dayMonth: # ##
        monthYear: # ##
        range: # to ##
        allDays: all days
        until: until #
        since: since #
        zone: # time

        [export days]
        one: of #
        several: from #
        all: of #

        [export link]
        title: Your # export
        titleWithoutApp: Your diary export
        day: Day
        days: Days
        selection: Selection
        inside: Inside
        entries: 1 entry | # entries
        size: Size
        parts: Parts
        downloadsLeft: Downloads left
        numberOf: # of ##
        worksUntil: Works until
        withTags: entries with the tags that were asked for
        recordingsAlone: recordings
        textsAlone: typed entries
        oneEntry: one entry
        chosenEntries: chosen entries
        changesAlone: what changed since an earlier export
        recordings: recordings
        overview: a page to read and search offline
        texts: texts
        subtitles: subtitles
        data: data
        download: Download the zip
        downloadPart: Download part # of ##
        allUsed: All downloads of this link are used. Ask for a new export in the app.
        partUsed: Part # of ##: all downloads are used.
        costs: Each click on the button uses one download; one that breaks off can be resumed. Reload this page to see how many are left.
        partCosts: Each part is a zip of its own, in order of time. Each click on a button uses one download of that part; one that breaks off can be resumed. Reload this page to see how many are left.
        personal: This link is personal: anyone who has it can download the entries. Do not pass it on.
        expiredTitle: The link has expired
        expiredText: It was used up, is too old, or ended with a change in the diary or of the password. Ask for it again in the app.
        refusedTitle: The link is not valid
        refusedText: Open it again from the mail, as it was sent.
        missingTitle: There is nothing here
        missingText: If a link of a mail led here, open it again from the mail, as it was sent.
        developers: For developers: how to use the API
        methodTitle: This address works by a button
        methodText: Open the link of the mail, and press the button of its page.
        otherTitle: #
        otherText: Please try again in a moment.
        request: Request
        units: bytes | kB | MB | GB
        colon: :

        [unsubscribe]
        question: Stop these mails?
        explanation: In #, an export is made for you again and again, and its link is mailed to you.
        button: Stop the mails
        staysAsItIs: The exports are still made; you find them in the app, where you can also turn the mails on again.
        done: These mails have stopped
        doneText: You get no more mails with links of this export of #. The exports are still made, and are in the app.
        diary: your diary

        [markdown]
        tags: Tags: #
        transcript: Transcript
        notes: Notes:

        [export index]
        title: Diary, #
        skip: Skip to the entries
        months: Months
        empty: There are no entries in these days.
        entries: 1 entry | # entries
        recordings: 1 recording | # recordings
        part: part #
        partOf: part # of ##
        exported: Exported #
        search: Search
        foundNone: No entry found
        found: 1 entry found | # entries found
        recordingOf: Recording of #
        favorite: Favourite
        mood: Mood:
        notes: Notes:
        summary: Summary
        transcript: Transcript with times
        tags: Tags
        files: Files:
        recording: recording
        text: text
        subtitles: subtitles
        index: index
        removed: The recording was removed; its text was kept.
        onDevice: The recording is on the device that made it.
        refused: The recording never arrived, or was refused.
        notArrived: The recording has not arrived yet.
        damagedRecording: The recording was damaged where it is stored and cannot be read.
        missingRecording: The recording is no longer where it was stored.
        damaged: A part of this entry was damaged where it is stored and cannot be read.
        damagedTimes: The times of the words were damaged where they are stored and cannot be read.
        notTranscribed: Not transcribed yet.
        otherLayer: There is no text of the kind that was asked for; this is what the app shows.

        [mail verification_code]
        Subject: Your code for {app}

        Enter this code in {app}:

        {code}

        It is valid for {minutes|1 minute|# minutes} and works once.

        If you did not ask for it, ignore this mail. No one from {app} will ever ask you for this code.

        [mail address_already_registered]
        Subject: You already have an account with {app}

        Someone, probably you, tried to register this address with {app}. There already is an account for it.

        To get in, sign in with this address and your password.

        If it was not you, ignore this mail. Nothing was changed.

        [mail export_ready]
        Subject: Your {app} export is ready

        The export of your {app} entries {days} is ready. Download it here:

        {link|Open the download page}

        It holds {entries|1 entry|# entries}.

        The link is valid until {until}. Anyone who has it can download the export, so do not forward this mail.

        If you did not ask for an export, sign in and delete it there: its link stops working at once.

        {unsubscribe|Stop these scheduled mails}

        [mail sign_in_code]
        Subject: Your code to sign in to {app}

        Enter this code in {app} to sign in:

        {code}

        It is valid for {minutes|1 minute|# minutes} and works once, in the app that asked for it.

        If you did not ask for it, ignore this mail. No one from {app} will ever ask you for this code.

        [mail reset_code]
        Subject: Your code for a new {app} password

        Enter this code in {app} to choose a new password:

        {code}

        It is valid for {minutes|1 minute|# minutes} and works once, in the app that asked for it.

        If you did not ask for it, ignore this mail. No one from {app} will ever ask you for this code.

        [mail address_code]
        Subject: Your code for {app}

        Enter this code in {app} to make this your address there:

        {code}

        It is valid for {minutes|1 minute|# minutes} and works once, in the app that asked for it.

        If you did not ask for it, ignore this mail. No one from {app} will ever ask you for this code.

        [mail reauthentication_code]
        Subject: Your code to confirm a change in {app}

        Enter this code in {app} to confirm that it is you:

        {code}

        It is valid for {minutes|1 minute|# minutes} and works once, in the app that asked for it.

        If you did not ask for it, ignore this mail. No one from {app} will ever ask you for this code.

        [mail session_reused]
        Subject: You were signed out of {app} on one device

        A token of yours that had been used already was shown again, so we ended that session: it may have been copied from your device.

        Sign in again there. If you think that someone else has been in your account, choose a new password; it ends every other session.

        [mail password_changed]
        Subject: Your {app} password was changed

        Your password was changed, and every session was ended.

        If it was not you, ask for a new password in {app} now: the code for it comes to this address.

        [mail address_changed]
        Subject: Your {app} address was changed

        Your account now has another address. This one does not sign in any more.

        If it was not you, someone else has been in your account: write to the operator of {app} today.

        [mail identity_linked]
        Subject: A way to sign in was added to {app}

        Your account can now be opened by Apple or Google, too.

        If it was not you, take it away in {app}, under the ways to sign in, and choose a new password.

        [mail identity_unlinked]
        Subject: A way to sign in was taken away from {app}

        One of the ways to sign in to your account does not work any more.

        If it was not you, someone else has been in your account: write to the operator of {app} today.
        """
}
