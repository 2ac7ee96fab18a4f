import DiaryCore

extension ExportLinkWords {
    static let spanish = ExportLinkWords(
        language: .es, title: "Tu exportación de #", titleWithoutApp: "La exportación de tu diario",
        day: "Día", days: "Días", times: "Horas", localTimes: "las del lugar de cada entrada", selection: "Selección", inside: "Contenido",
        entries: PluralText(one: "1 entrada", other: "# entradas"),
        size: "Tamaño", parts: "Partes", downloadsLeft: "Descargas restantes",
        numberOf: "# de ##", worksUntil: "Válido hasta",
        withTags: "entradas con las etiquetas pedidas", recordingsAlone: "grabaciones", textsAlone: "entradas escritas",
        oneEntry: "una entrada", changesAlone: "lo que ha cambiado desde una exportación anterior",
        recordings: "grabaciones", overview: "una página para leer y buscar sin conexión", texts: "textos", subtitles: "subtítulos",
        data: "datos",
        download: "Descargar el zip", downloadPart: "Descargar la parte # de ##",
        allUsed: "Se han usado todas las descargas de este enlace. Pide una nueva exportación en la aplicación.",
        partUsed: "Parte # de ##: se han usado todas las descargas.",
        costs:
            "Cada clic en el botón usa una descarga; si se interrumpe, se puede reanudar. Vuelve a cargar esta página para ver cuántas quedan.",
        partCosts:
            "Cada parte es un zip propio, por orden de fecha. Cada clic en un botón usa una descarga de esa parte; si se interrumpe, se puede reanudar. Vuelve a cargar esta página para ver cuántas quedan.",
        personal: "Este enlace es personal: quien lo tenga puede descargar las entradas. No lo compartas.",
        expired: Advice(
            title: "Este enlace ha caducado",
            text: "Se ha agotado, se ha revocado o es demasiado antiguo. Pide una nueva exportación en la aplicación."),
        refused: Advice(title: "Este enlace no es válido", text: "Ábrelo otra vez desde el correo, tal como se envió."),
        missing: Advice(
            title: "Aquí no hay nada",
            text: "Si has llegado por un enlace de un correo, ábrelo otra vez desde el correo, tal como se envió."),
        method: Advice(
            title: "Esta dirección funciona con un botón", text: "Abre el enlace del correo y pulsa el botón de su página."),
        otherTitle: "No ha funcionado", otherText: "Vuelve a intentarlo en un momento.", request: "Solicitud",
        units: ["bytes", "kB", "MB", "GB"])
}
