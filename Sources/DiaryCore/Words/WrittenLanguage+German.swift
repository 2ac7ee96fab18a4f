/// All that the service says in German; ``LanguageFile`` says in which form.
extension WrittenLanguage {
    static let german = """
        [numbers]
        thousands: .
        tenths: ,
        one: 1

        [dates]
        months: Januar | Februar | März | April | Mai | Juni | Juli | August | September | Oktober | November | Dezember
        day: #.
        firstDay: #.
        dayMonth: # ##
        monthYear: # ##
        range: # bis ##
        allDays: alle Tage
        until: bis #
        since: seit #
        zone: Zeit in #

        [export days]
        one: vom #
        several: vom #
        all: über #

        [export link]
        title: Dein Export aus #
        titleWithoutApp: Dein Tagebuch-Export
        day: Tag
        days: Tage
        selection: Auswahl
        inside: Inhalt
        entries: 1 Eintrag | # Einträge
        size: Größe
        parts: Teile
        downloadsLeft: Downloads übrig
        numberOf: # von ##
        worksUntil: Gültig bis
        withTags: Einträge mit den gewünschten Tags
        recordingsAlone: Aufnahmen
        textsAlone: getippte Einträge
        oneEntry: ein Eintrag
        chosenEntries: ausgewählte Einträge
        changesAlone: was sich seit einem früheren Export geändert hat
        recordings: Aufnahmen
        overview: eine Seite zum Lesen und Suchen ohne Internet
        texts: Texte
        subtitles: Untertitel
        data: Daten
        download: Zip herunterladen
        downloadPart: Teil # von ## herunterladen
        allUsed: Alle Downloads dieses Links sind verbraucht. Fordere in der App einen neuen Export an.
        partUsed: Teil # von ##: Alle Downloads sind verbraucht.
        costs: Jeder Klick auf den Knopf verbraucht einen Download; ein abgebrochener lässt sich fortsetzen. Lade diese Seite neu, um zu sehen, wie viele übrig sind.
        partCosts: Jeder Teil ist ein eigenes Zip, in der Reihenfolge der Zeit. Jeder Klick auf einen Knopf verbraucht einen Download dieses Teils; ein abgebrochener lässt sich fortsetzen. Lade diese Seite neu, um zu sehen, wie viele übrig sind.
        personal: Dieser Link ist persönlich: Wer ihn hat, kann die Einträge herunterladen. Gib ihn nicht weiter.
        expiredTitle: Dieser Link gilt nicht mehr
        expiredText: Er ist verbraucht, zu alt oder endete mit einer Änderung im Tagebuch oder des Passworts. Fordere ihn in der App noch einmal an.
        refusedTitle: Dieser Link ist ungültig
        refusedText: Öffne ihn noch einmal aus der Mail, so wie er dort steht.
        missingTitle: Hier ist nichts
        missingText: Wenn dich ein Link aus einer Mail hierher geführt hat, öffne ihn noch einmal aus der Mail, so wie er dort steht.
        developers: Für Entwickler: So nutzt man die API
        methodTitle: Diese Adresse braucht einen Knopf
        methodText: Öffne den Link aus der Mail und drücke den Knopf auf seiner Seite.
        otherTitle: Das hat nicht geklappt
        otherText: Versuch es gleich noch einmal.
        request: Anfrage
        units: Bytes | kB | MB | GB
        colon: :

        [unsubscribe]
        question: Diese Mails beenden?
        explanation: In # wird immer wieder ein Export für dich gemacht, und du bekommst seinen Link mit einer Mail.
        button: Mails beenden
        staysAsItIs: Die Exporte werden weiter gemacht; du findest sie in der App und kannst die Mails dort auch wieder einschalten.
        done: Diese Mails sind beendet
        doneText: Du bekommst keine Mails mit Links zu diesem Export aus # mehr. Die Exporte werden weiter gemacht und sind in der App.
        diary: deinem Tagebuch

        [markdown]
        tags: Tags: #
        transcript: Transkript
        notes: Notizen:

        [export index]
        title: Tagebuch, #
        skip: Zu den Einträgen springen
        months: Monate
        empty: In diesen Tagen gibt es keine Einträge.
        entries: 1 Eintrag | # Einträge
        recordings: 1 Aufnahme | # Aufnahmen
        part: Teil #
        partOf: Teil # von ##
        exported: Exportiert am #
        search: Suchen
        foundNone: Kein Eintrag gefunden
        found: 1 Eintrag gefunden | # Einträge gefunden
        recordingOf: Aufnahme vom #
        favorite: Favorit
        mood: Stimmung:
        notes: Notizen:
        summary: Zusammenfassung
        transcript: Transkript mit Zeiten
        tags: Tags
        files: Dateien:
        recording: Aufnahme
        text: Text
        subtitles: Untertitel
        index: Übersicht
        removed: Die Aufnahme wurde entfernt, ihr Text ist noch da.
        onDevice: Die Aufnahme ist auf dem Gerät, mit dem sie gemacht wurde.
        refused: Die Aufnahme ist nie angekommen oder wurde abgelehnt.
        notArrived: Die Aufnahme ist noch nicht angekommen.
        damagedRecording: Die Aufnahme ist dort, wo sie gespeichert ist, beschädigt und lässt sich nicht lesen.
        missingRecording: Die Aufnahme ist nicht mehr dort, wo sie gespeichert war.
        damaged: Ein Teil dieses Eintrags ist dort, wo er gespeichert ist, beschädigt und lässt sich nicht lesen.
        damagedTimes: Die Zeiten der Wörter sind dort, wo sie gespeichert sind, beschädigt und lassen sich nicht lesen.
        notTranscribed: Noch nicht transkribiert.
        otherLayer: Einen Text der gewünschten Art gibt es nicht; hier steht, was die App zeigt.

        [mail verification_code]
        Subject: Dein Code für {app}

        Gib diesen Code in {app} ein:

        {code}

        Er gilt {minutes|1 Minute|# Minuten} und nur einmal.

        Wenn du ihn nicht angefordert hast, ist nichts zu tun. Niemand von {app} wird dich je nach diesem Code fragen.

        [mail address_already_registered]
        Subject: Du hast schon ein Konto bei {app}

        Jemand, wahrscheinlich du, wollte diese Adresse bei {app} anmelden. Es gibt schon ein Konto mit ihr.

        Melde dich mit dieser Adresse und deinem Passwort an.

        Wenn du es nicht warst, ist nichts zu tun. Es wurde nichts geändert.

        [mail export_ready]
        Subject: Dein Export aus {app} ist fertig

        Der Export deiner Einträge in {app} {days} ist fertig. Hier kannst du ihn herunterladen:

        {link|Zur Seite mit dem Download}

        Er enthält {entries|1 Eintrag|# Einträge}.

        Der Link gilt bis {until}. Wer ihn hat, kann den Export herunterladen; leite diese Mail deshalb nicht weiter.

        Wenn du keinen Export angefordert hast, melde dich an und lösche ihn dort: Der Link gilt dann sofort nicht mehr.

        {unsubscribe|Diese regelmäßigen Mails beenden}

        [mail sign_in_code]
        Subject: Dein Code zur Anmeldung bei {app}

        Gib diesen Code in {app} ein, um dich anzumelden:

        {code}

        Er gilt {minutes|1 Minute|# Minuten} und nur einmal, in der App, die ihn angefordert hat.

        Wenn du ihn nicht angefordert hast, ist nichts zu tun. Niemand von {app} wird dich je nach diesem Code fragen.

        [mail reset_code]
        Subject: Dein Code für ein neues Passwort bei {app}

        Gib diesen Code in {app} ein, um ein neues Passwort zu wählen:

        {code}

        Er gilt {minutes|1 Minute|# Minuten} und nur einmal, in der App, die ihn angefordert hat.

        Wenn du ihn nicht angefordert hast, ist nichts zu tun. Niemand von {app} wird dich je nach diesem Code fragen.

        [mail address_code]
        Subject: Dein Code für {app}

        Gib diesen Code in {app} ein, damit dies dort deine Adresse wird:

        {code}

        Er gilt {minutes|1 Minute|# Minuten} und nur einmal, in der App, die ihn angefordert hat.

        Wenn du ihn nicht angefordert hast, ist nichts zu tun. Niemand von {app} wird dich je nach diesem Code fragen.

        [mail reauthentication_code]
        Subject: Dein Code zur Bestätigung einer Änderung in {app}

        Gib diesen Code in {app} ein, um zu bestätigen, dass du es bist:

        {code}

        Er gilt {minutes|1 Minute|# Minuten} und nur einmal, in der App, die ihn angefordert hat.

        Wenn du ihn nicht angefordert hast, ist nichts zu tun. Niemand von {app} wird dich je nach diesem Code fragen.

        [mail session_reused]
        Subject: Du wurdest auf einem Gerät von {app} abgemeldet

        Ein Schlüssel deiner Anmeldung, der schon verbraucht war, wurde noch einmal vorgezeigt. Wir haben diese Anmeldung beendet: Der Schlüssel könnte von deinem Gerät kopiert worden sein.

        Melde dich dort neu an. Wenn du glaubst, dass jemand anderes in deinem Konto war, wähle ein neues Passwort; es beendet alle anderen Anmeldungen.

        [mail password_changed]
        Subject: Dein Passwort bei {app} wurde geändert

        Dein Passwort wurde geändert, und alle Anmeldungen wurden beendet.

        Wenn du es nicht warst, fordere jetzt in {app} ein neues Passwort an: Der Code dafür kommt an diese Adresse.

        [mail address_changed]
        Subject: Deine Adresse bei {app} wurde geändert

        Dein Konto hat jetzt eine andere Adresse. Mit dieser kannst du dich nicht mehr anmelden.

        Wenn du es nicht warst, war jemand anderes in deinem Konto: Schreib noch heute dem Betreiber von {app}.

        [mail identity_linked]
        Subject: Bei {app} kam ein Weg zur Anmeldung dazu

        Dein Konto lässt sich jetzt auch mit Apple oder Google öffnen.

        Wenn du es nicht warst, entferne den Weg in {app} bei den Wegen zur Anmeldung, und wähle ein neues Passwort.

        [mail identity_unlinked]
        Subject: Bei {app} wurde ein Weg zur Anmeldung entfernt

        Einer der Wege zur Anmeldung bei deinem Konto gilt nicht mehr.

        Wenn du es nicht warst, war jemand anderes in deinem Konto: Schreib noch heute dem Betreiber von {app}.
        """
}
