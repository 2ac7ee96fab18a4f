import DiaryCore

extension ExportIndexWords {
    static let spanish = ExportIndexWords(
        language: .es, title: "Diario, #", skip: "Ir a las entradas", months: "Meses", empty: "No hay entradas en estos días.",
        entries: PluralText(one: "1 entrada", other: "# entradas"), recordings: PluralText(one: "1 grabación", other: "# grabaciones"),
        part: "parte #", partOf: "parte # de ##", exported: "Exportado el #",
        search: "Buscar", foundNone: "No se ha encontrado ninguna entrada",
        found: PluralText(one: "1 entrada encontrada", other: "# entradas encontradas"),
        recordingOf: "Grabación del #", favorite: "Favorita", mood: "Estado de ánimo:", summary: "Resumen",
        transcript: "Transcripción con tiempos",
        tags: "Etiquetas", files: "Archivos:", recording: "grabación", text: "texto", subtitles: "subtítulos", index: "índice",
        gaps: Gaps(
            removed: "La grabación se eliminó; su texto se conserva.",
            refused: "La grabación nunca llegó o fue rechazada.",
            notArrived: "La grabación aún no ha llegado.",
            damagedRecording: "La grabación se ha dañado donde está guardada y no se puede leer.",
            missingRecording: "La grabación ya no está donde se guardó.",
            damaged: "Una parte de esta entrada se ha dañado donde está guardada y no se puede leer.",
            damagedTimes: "Los tiempos de las palabras se han dañado donde están guardados y no se pueden leer.",
            notTranscribed: "Aún sin transcribir.",
            otherLayer: "No hay texto del tipo pedido; esto es lo que muestra la aplicación."))
}
