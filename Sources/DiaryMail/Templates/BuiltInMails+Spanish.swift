import DiaryCore

extension BuiltInMails {
    static func spanish(_ kind: MailKind) -> String {
        switch kind {
        case .verificationCode:
            """
            Subject: Tu código para {app}

            Escribe este código en {app}:

            {code}

            Vale durante {minutes|1 minuto|# minutos} y una sola vez.

            Si no lo has pedido, no hagas caso de este mensaje. Nadie de {app} te pedirá nunca este código.
            """
        case .addressAlreadyRegistered:
            """
            Subject: Ya tienes una cuenta en {app}

            Alguien, probablemente tú, ha intentado registrar esta dirección en {app}. Ya existe una cuenta con ella.

            Para entrar, inicia sesión con esta dirección y tu contraseña.

            Si no has sido tú, no hagas caso de este mensaje. No se ha cambiado nada.
            """
        case .exportReady:
            """
            Subject: Tu exportación de {app} está lista

            La exportación de tus entradas de {app} {days} está lista. Descárgala aquí:

            {link|Abrir la página de descarga}

            Contiene {entries|1 entrada|# entradas}.

            El enlace vale hasta el {until}. Quien lo tenga puede descargar la exportación, así que no reenvíes este mensaje.

            Si no has pedido ninguna exportación, inicia sesión y bórrala: su enlace dejará de funcionar en el acto.

            {unsubscribe|No recibir más estos mensajes periódicos}
            """
        case .signInCode:
            """
            Subject: Tu código para entrar en {app}

            Escribe este código en {app} para iniciar sesión:

            {code}

            Vale durante {minutes|1 minuto|# minutos} y una sola vez, en la aplicación que lo pidió.

            Si no lo has pedido, no hagas caso de este mensaje. Nadie de {app} te pedirá nunca este código.
            """
        case .resetCode:
            """
            Subject: Tu código para una contraseña nueva de {app}

            Escribe este código en {app} para elegir una contraseña nueva:

            {code}

            Vale durante {minutes|1 minuto|# minutos} y una sola vez, en la aplicación que lo pidió.

            Si no lo has pedido, no hagas caso de este mensaje. Nadie de {app} te pedirá nunca este código.
            """
        case .addressCode:
            """
            Subject: Tu código para {app}

            Escribe este código en {app} para que esta sea tu dirección allí:

            {code}

            Vale durante {minutes|1 minuto|# minutos} y una sola vez, en la aplicación que lo pidió.

            Si no lo has pedido, no hagas caso de este mensaje. Nadie de {app} te pedirá nunca este código.
            """
        case .reauthenticationCode:
            """
            Subject: Tu código para confirmar un cambio en {app}

            Escribe este código en {app} para confirmar que eres tú:

            {code}

            Vale durante {minutes|1 minuto|# minutos} y una sola vez, en la aplicación que lo pidió.

            Si no lo has pedido, no hagas caso de este mensaje. Nadie de {app} te pedirá nunca este código.
            """
        case .sessionReused:
            """
            Subject: Se ha cerrado tu sesión de {app} en un dispositivo

            Se ha vuelto a presentar una clave de tu sesión que ya estaba usada, así que hemos cerrado esa sesión: pueden haberla copiado de tu dispositivo.

            Inicia sesión allí de nuevo. Si crees que otra persona ha entrado en tu cuenta, elige una contraseña nueva; cerrará todas las demás sesiones.
            """
        case .passwordChanged:
            """
            Subject: Se ha cambiado tu contraseña de {app}

            Se ha cambiado tu contraseña y se han cerrado todas las sesiones.

            Si no has sido tú, pide ahora una contraseña nueva en {app}: el código llegará a esta dirección.
            """
        case .addressChanged:
            """
            Subject: Se ha cambiado tu dirección de {app}

            Tu cuenta tiene ahora otra dirección. Con esta ya no se puede iniciar sesión.

            Si no has sido tú, otra persona ha entrado en tu cuenta: escribe hoy mismo al responsable de {app}.
            """
        case .identityLinked:
            """
            Subject: Se ha añadido una forma de entrar en {app}

            Ahora tu cuenta también se puede abrir con Apple o Google.

            Si no has sido tú, quítala en {app}, entre las formas de iniciar sesión, y elige una contraseña nueva.
            """
        case .identityUnlinked:
            """
            Subject: Se ha quitado una forma de entrar en {app}

            Una de las formas de iniciar sesión en tu cuenta ya no funciona.

            Si no has sido tú, otra persona ha entrado en tu cuenta: escribe hoy mismo al responsable de {app}.
            """
        }
    }
}
