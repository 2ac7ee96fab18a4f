import DiaryCore

extension BuiltInMails {
    static func german(_ kind: MailKind) -> String {
        switch kind {
        case .verificationCode:
            """
            Subject: Dein Code für {app}

            Gib diesen Code in {app} ein:

            {code}

            Er gilt {minutes|1 Minute|# Minuten} und nur einmal.

            Wenn du ihn nicht angefordert hast, ist nichts zu tun. Niemand von {app} wird dich je nach diesem Code fragen.
            """
        case .addressAlreadyRegistered:
            """
            Subject: Du hast schon ein Konto bei {app}

            Jemand, wahrscheinlich du, wollte diese Adresse bei {app} anmelden. Es gibt schon ein Konto mit ihr.

            Melde dich mit dieser Adresse und deinem Passwort an.

            Wenn du es nicht warst, ist nichts zu tun. Es wurde nichts geändert.
            """
        case .exportReady:
            """
            Subject: Dein Export aus {app} ist fertig

            Der Export deiner Einträge in {app} {days} ist fertig. Hier kannst du ihn herunterladen:

            {link|Zur Seite mit dem Download}

            Er enthält {entries|1 Eintrag|# Einträge}.

            Der Link gilt bis {until}. Wer ihn hat, kann den Export herunterladen; leite diese Mail deshalb nicht weiter.

            Wenn du keinen Export angefordert hast, melde dich an und lösche ihn dort: Der Link gilt dann sofort nicht mehr.

            {unsubscribe|Diese regelmäßigen Mails beenden}
            """
        case .signInCode:
            """
            Subject: Dein Code zur Anmeldung bei {app}

            Gib diesen Code in {app} ein, um dich anzumelden:

            {code}

            Er gilt {minutes|1 Minute|# Minuten} und nur einmal, in der App, die ihn angefordert hat.

            Wenn du ihn nicht angefordert hast, ist nichts zu tun. Niemand von {app} wird dich je nach diesem Code fragen.
            """
        case .resetCode:
            """
            Subject: Dein Code für ein neues Passwort bei {app}

            Gib diesen Code in {app} ein, um ein neues Passwort zu wählen:

            {code}

            Er gilt {minutes|1 Minute|# Minuten} und nur einmal, in der App, die ihn angefordert hat.

            Wenn du ihn nicht angefordert hast, ist nichts zu tun. Niemand von {app} wird dich je nach diesem Code fragen.
            """
        case .addressCode:
            """
            Subject: Dein Code für {app}

            Gib diesen Code in {app} ein, damit dies dort deine Adresse wird:

            {code}

            Er gilt {minutes|1 Minute|# Minuten} und nur einmal, in der App, die ihn angefordert hat.

            Wenn du ihn nicht angefordert hast, ist nichts zu tun. Niemand von {app} wird dich je nach diesem Code fragen.
            """
        case .reauthenticationCode:
            """
            Subject: Dein Code zur Bestätigung einer Änderung in {app}

            Gib diesen Code in {app} ein, um zu bestätigen, dass du es bist:

            {code}

            Er gilt {minutes|1 Minute|# Minuten} und nur einmal, in der App, die ihn angefordert hat.

            Wenn du ihn nicht angefordert hast, ist nichts zu tun. Niemand von {app} wird dich je nach diesem Code fragen.
            """
        case .sessionReused:
            """
            Subject: Du wurdest auf einem Gerät von {app} abgemeldet

            Ein Schlüssel deiner Anmeldung, der schon verbraucht war, wurde noch einmal vorgezeigt. Wir haben diese Anmeldung beendet: Der Schlüssel könnte von deinem Gerät kopiert worden sein.

            Melde dich dort neu an. Wenn du glaubst, dass jemand anderes in deinem Konto war, wähle ein neues Passwort; es beendet alle anderen Anmeldungen.
            """
        case .passwordChanged:
            """
            Subject: Dein Passwort bei {app} wurde geändert

            Dein Passwort wurde geändert, und alle Anmeldungen wurden beendet.

            Wenn du es nicht warst, fordere jetzt in {app} ein neues Passwort an: Der Code dafür kommt an diese Adresse.
            """
        case .addressChanged:
            """
            Subject: Deine Adresse bei {app} wurde geändert

            Dein Konto hat jetzt eine andere Adresse. Mit dieser kannst du dich nicht mehr anmelden.

            Wenn du es nicht warst, war jemand anderes in deinem Konto: Schreib noch heute dem Betreiber von {app}.
            """
        case .identityLinked:
            """
            Subject: Bei {app} kam ein Weg zur Anmeldung dazu

            Dein Konto lässt sich jetzt auch mit Apple oder Google öffnen.

            Wenn du es nicht warst, entferne den Weg in {app} bei den Wegen zur Anmeldung, und wähle ein neues Passwort.
            """
        case .identityUnlinked:
            """
            Subject: Bei {app} wurde ein Weg zur Anmeldung entfernt

            Einer der Wege zur Anmeldung bei deinem Konto gilt nicht mehr.

            Wenn du es nicht warst, war jemand anderes in deinem Konto: Schreib noch heute dem Betreiber von {app}.
            """
        }
    }
}
