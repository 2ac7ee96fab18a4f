/// All that the service says in Spanish; ``LanguageFile`` says in which form.
extension WrittenLanguage {
    static let spanish = """
        [numbers]
        thousands: .
        tenths: ,
        one: 1

        [dates]
        months: enero | febrero | marzo | abril | mayo | junio | julio | agosto | septiembre | octubre | noviembre | diciembre
        day: #
        firstDay: #
        dayMonth: # de ##
        monthYear: # de ##
        range: # al ##
        allDays: todos los días
        until: hasta el #
        since: desde el #
        zone: hora de #

        [export days]
        one: del #
        several: del #
        all: de #

        [export link]
        title: Tu exportación de #
        titleWithoutApp: La exportación de tu diario
        day: Día
        days: Días
        selection: Selección
        inside: Contenido
        entries: 1 entrada | # entradas
        size: Tamaño
        parts: Partes
        downloadsLeft: Descargas restantes
        numberOf: # de ##
        worksUntil: Válido hasta
        withTags: entradas con las etiquetas pedidas
        recordingsAlone: grabaciones
        textsAlone: entradas escritas
        oneEntry: una entrada
        chosenEntries: entradas elegidas
        changesAlone: lo que ha cambiado desde una exportación anterior
        recordings: grabaciones
        overview: una página para leer y buscar sin conexión
        texts: textos
        subtitles: subtítulos
        data: datos
        download: Descargar el zip
        downloadPart: Descargar la parte # de ##
        allUsed: Se han usado todas las descargas de este enlace. Pide una nueva exportación en la aplicación.
        partUsed: Parte # de ##: se han usado todas las descargas.
        costs: Cada clic en el botón usa una descarga; si se interrumpe, se puede reanudar. Vuelve a cargar esta página para ver cuántas quedan.
        partCosts: Cada parte es un zip propio, por orden de fecha. Cada clic en un botón usa una descarga de esa parte; si se interrumpe, se puede reanudar. Vuelve a cargar esta página para ver cuántas quedan.
        personal: Este enlace es personal: quien lo tenga puede descargar las entradas. No lo compartas.
        expiredTitle: Este enlace ha caducado
        expiredText: Se ha agotado, es demasiado antiguo o terminó con un cambio en el diario o de la contraseña. Pídelo de nuevo en la aplicación.
        refusedTitle: Este enlace no es válido
        refusedText: Ábrelo otra vez desde el correo, tal como se envió.
        missingTitle: Aquí no hay nada
        missingText: Si has llegado por un enlace de un correo, ábrelo otra vez desde el correo, tal como se envió.
        developers: Para desarrolladores: cómo usar la API
        methodTitle: Esta dirección funciona con un botón
        methodText: Abre el enlace del correo y pulsa el botón de su página.
        otherTitle: No ha funcionado
        otherText: Vuelve a intentarlo en un momento.
        request: Solicitud
        units: bytes | kB | MB | GB
        colon: :

        [unsubscribe]
        question: ¿Dejar de recibir estos correos?
        explanation: En # se hace una exportación para ti cada cierto tiempo, y recibes su enlace por correo.
        button: Dejar de recibirlos
        staysAsItIs: Las exportaciones se siguen haciendo; están en la aplicación, donde también puedes volver a activar los correos.
        done: Ya no recibirás estos correos
        doneText: No recibirás más correos con enlaces de esta exportación de #. Las exportaciones se siguen haciendo y están en la aplicación.
        diary: tu diario

        [markdown]
        tags: Etiquetas: #
        transcript: Transcripción
        notes: Notas:

        [export index]
        title: Diario, #
        skip: Ir a las entradas
        months: Meses
        empty: No hay entradas en estos días.
        entries: 1 entrada | # entradas
        recordings: 1 grabación | # grabaciones
        part: parte #
        partOf: parte # de ##
        exported: Exportado el #
        search: Buscar
        foundNone: No se ha encontrado ninguna entrada
        found: 1 entrada encontrada | # entradas encontradas
        recordingOf: Grabación del #
        favorite: Favorita
        mood: Estado de ánimo:
        notes: Notas:
        summary: Resumen
        transcript: Transcripción con tiempos
        tags: Etiquetas
        files: Archivos:
        recording: grabación
        text: texto
        subtitles: subtítulos
        index: índice
        removed: La grabación se eliminó; su texto se conserva.
        onDevice: La grabación está en el dispositivo que la hizo.
        refused: La grabación nunca llegó o fue rechazada.
        notArrived: La grabación aún no ha llegado.
        damagedRecording: La grabación se ha dañado donde está guardada y no se puede leer.
        missingRecording: La grabación ya no está donde se guardó.
        damaged: Una parte de esta entrada se ha dañado donde está guardada y no se puede leer.
        damagedTimes: Los tiempos de las palabras se han dañado donde están guardados y no se pueden leer.
        notTranscribed: Aún sin transcribir.
        otherLayer: No hay texto del tipo pedido; esto es lo que muestra la aplicación.

        [mail verification_code]
        Subject: Tu código para {app}

        Escribe este código en {app}:

        {code}

        Vale durante {minutes|1 minuto|# minutos} y una sola vez.

        Si no lo has pedido, no hagas caso de este mensaje. Nadie de {app} te pedirá nunca este código.

        [mail address_already_registered]
        Subject: Ya tienes una cuenta en {app}

        Alguien, probablemente tú, ha intentado registrar esta dirección en {app}. Ya existe una cuenta con ella.

        Para entrar, inicia sesión con esta dirección y tu contraseña.

        Si no has sido tú, no hagas caso de este mensaje. No se ha cambiado nada.

        [mail export_ready]
        Subject: Tu exportación de {app} está lista

        La exportación de tus entradas de {app} {days} está lista. Descárgala aquí:

        {link|Abrir la página de descarga}

        Contiene {entries|1 entrada|# entradas}.

        El enlace vale hasta el {until}. Quien lo tenga puede descargar la exportación, así que no reenvíes este mensaje.

        Si no has pedido ninguna exportación, inicia sesión y bórrala: su enlace dejará de funcionar en el acto.

        {unsubscribe|No recibir más estos mensajes periódicos}

        [mail sign_in_code]
        Subject: Tu código para entrar en {app}

        Escribe este código en {app} para iniciar sesión:

        {code}

        Vale durante {minutes|1 minuto|# minutos} y una sola vez, en la aplicación que lo pidió.

        Si no lo has pedido, no hagas caso de este mensaje. Nadie de {app} te pedirá nunca este código.

        [mail reset_code]
        Subject: Tu código para una contraseña nueva de {app}

        Escribe este código en {app} para elegir una contraseña nueva:

        {code}

        Vale durante {minutes|1 minuto|# minutos} y una sola vez, en la aplicación que lo pidió.

        Si no lo has pedido, no hagas caso de este mensaje. Nadie de {app} te pedirá nunca este código.

        [mail address_code]
        Subject: Tu código para {app}

        Escribe este código en {app} para que esta sea tu dirección allí:

        {code}

        Vale durante {minutes|1 minuto|# minutos} y una sola vez, en la aplicación que lo pidió.

        Si no lo has pedido, no hagas caso de este mensaje. Nadie de {app} te pedirá nunca este código.

        [mail reauthentication_code]
        Subject: Tu código para confirmar un cambio en {app}

        Escribe este código en {app} para confirmar que eres tú:

        {code}

        Vale durante {minutes|1 minuto|# minutos} y una sola vez, en la aplicación que lo pidió.

        Si no lo has pedido, no hagas caso de este mensaje. Nadie de {app} te pedirá nunca este código.

        [mail session_reused]
        Subject: Se ha cerrado tu sesión de {app} en un dispositivo

        Se ha vuelto a presentar una clave de tu sesión que ya estaba usada, así que hemos cerrado esa sesión: pueden haberla copiado de tu dispositivo.

        Inicia sesión allí de nuevo. Si crees que otra persona ha entrado en tu cuenta, elige una contraseña nueva; cerrará todas las demás sesiones.

        [mail password_changed]
        Subject: Se ha cambiado tu contraseña de {app}

        Se ha cambiado tu contraseña y se han cerrado todas las sesiones.

        Si no has sido tú, pide ahora una contraseña nueva en {app}: el código llegará a esta dirección.

        [mail address_changed]
        Subject: Se ha cambiado tu dirección de {app}

        Tu cuenta tiene ahora otra dirección. Con esta ya no se puede iniciar sesión.

        Si no has sido tú, otra persona ha entrado en tu cuenta: escribe hoy mismo al responsable de {app}.

        [mail identity_linked]
        Subject: Se ha añadido una forma de entrar en {app}

        Ahora tu cuenta también se puede abrir con Apple o Google.

        Si no has sido tú, quítala en {app}, entre las formas de iniciar sesión, y elige una contraseña nueva.

        [mail identity_unlinked]
        Subject: Se ha quitado una forma de entrar en {app}

        Una de las formas de iniciar sesión en tu cuenta ya no funciona.

        Si no has sido tú, otra persona ha entrado en tu cuenta: escribe hoy mismo al responsable de {app}.
        """
}
