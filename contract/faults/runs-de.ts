import type { RUN_FORMS } from './runs.ts'

export const runsDe = {
  held: '{sentence}. Es wurde nichts geschrieben. Bestätigen Sie den Import, wenn das beabsichtigt ist',
  heldAlso: '{sentence}. Außerdem: {Also}',
  heldEmpty:
    'eine vollständige Datei ohne gültiges Angebot würde alle lieferbaren Angebote ({count}) auf 0 setzen. Prüfen Sie, ob der Lieferant die richtige Datei gesendet hat, oder berichtigen Sie die Zuordnung',
  heldEmptyRow:
    'eine vollständige Datei ohne gültiges Angebot würde alle lieferbaren Angebote ({count}) auf 0 setzen (abgelehnte Zeilen: {refused}, die erste: {row}). Prüfen Sie, ob der Lieferant die richtige Datei gesendet hat, oder berichtigen Sie die Zuordnung',
  heldRow: 'Zeile {line}, {field} {why}',
  heldEncoding:
    'die Datei ist UTF-8 und wird als {encoding} gelesen, wie es in der Zuordnung oder in der Datei selbst steht. Falsch gelesene Zeichen: {count}, etwa {wrong} statt {right}. Wählen Sie in der Zuordnung den Zeichensatz UTF-8',
  heldEncodingDamaged:
    'die Datei ist UTF-8 mit beschädigten Bytes ({broken}) und wird als {encoding} gelesen, wie es in der Zuordnung oder in der Datei selbst steht. Falsch gelesene Zeichen: {count}, etwa {wrong} statt {right}. Bitten Sie den Lieferanten um eine unbeschädigte Datei, und wählen Sie in der Zuordnung den Zeichensatz UTF-8',
  heldColumns:
    'keine Zeile hat {list}, was die Zuordnung nennt. Berichtigen Sie die Schreibweise, oder fragen Sie den Lieferanten, was sich geändert hat; in der Zuordnung lässt sich festlegen, dass eine Spalte fehlen darf',
  heldRefused:
    '{count} von {of} Zeilen sind nicht lesbar, mehr als {limit} (die erste: {row}). Berichtigen Sie die Zuordnung, lassen Sie in ihr aus, was kein Artikel ist, oder bitten Sie den Lieferanten um eine berichtigte Datei',
  heldKeyless:
    '{sentence}. Zeilen ohne lesbaren Schlüssel: {count}. Wird der Import bestätigt, werden Angebote, die die Datei nicht nennt, auf 0 gesetzt',
  heldZeroed:
    'die Datei würde {count} von {of} lieferbaren Angeboten auf 0 setzen, mehr als {limit}. Prüfen Sie, ob sie vollständig ist; eine Datei, die nur Änderungen enthält, wird als solche importiert',
  heldCosts:
    'die Datei würde {count} von {of} Angeboten den Einkaufspreis nehmen, mehr als {limit}. Prüfen Sie, ob die Spalte mit dem Einkaufspreis gefüllt ist',
  heldCostsZero:
    'durch die Datei würde der Einkaufspreis von {count} von {of} Angeboten auf 0 fallen, mehr als {limit}. Prüfen Sie, ob der Lieferant 0 schreibt, wo er keinen Preis nennt',
  heldJumps:
    'durch die Datei würde der Einkaufspreis von {count} von {of} Angeboten auf mehr als das {factor}-Fache steigen oder entsprechend fallen, mehr als {limit}. Prüfen Sie, ob sich Dezimalzeichen, Währung, Einheit oder Spalte geändert haben',
  heldSwapped:
    'bei {count} von {of} Angeboten sind in der Datei Einkaufspreis und Bestand vertauscht, mehr als {limit}. Prüfen Sie, ob die Spalten vertauscht wurden',
  heldTitles:
    'die Datei würde {count} von {of} Angeboten den Titel nehmen, mehr als {limit}. Prüfen Sie, ob die Spalte mit dem Titel gefüllt ist',
  heldPictures:
    'die Datei würde {count} von {of} Angeboten die Bilder nehmen, mehr als {limit}. Prüfen Sie, ob die Spalte mit den Bildern gefüllt ist',
  heldEans:
    'die Datei würde {count} von {of} Angeboten die EAN nehmen, mehr als {limit}. Prüfen Sie, ob die Spalte mit der EAN gefüllt ist',
  heldQuantities:
    'die Datei würde {count} von {of} Angeboten den Bestand nehmen, mehr als {limit}. Prüfen Sie, ob die Spalte mit dem Bestand gefüllt ist',
  failed: 'der Import ist fehlgeschlagen: {why}',
  failedTimes: 'der Import ist {times}-mal fehlgeschlagen, zuletzt: {why}',
  internal: 'ein interner Fehler',
  storeSilent: 'der Dateispeicher antwortet nicht ({detail})',
  fileGone:
    'die Datei ist nicht im Dateispeicher: Sie wurde entfernt, oder die Prozesse haben weder DATA_DIR noch einen Bucket gemeinsam. Laden Sie sie erneut hoch, oder rufen Sie sie erneut ab',
  partWritten: '{sentence}. Was vorher geschrieben wurde, bleibt',
  supplierGone: 'der Lieferant wurde inzwischen gelöscht',
  readerEnded:
    'der Prozess, der die Datei mit dieser Zuordnung gelesen hat, ist dabei abgestürzt. Prüfen Sie Datei und Zuordnung, oder teilen Sie die Datei',
  readerMemory:
    'das Lesen der Datei mit dieser Zuordnung braucht mehr als {megabytes} MB Speicher. Teilen Sie sie, oder vereinfachen Sie die Zuordnung',
  readerTime:
    'das Lesen der Datei mit dieser Zuordnung dauert länger als {seconds} s. Teilen Sie sie, oder vereinfachen Sie die Zuordnung',
  asideInterrupted:
    'beiseitegelegt: Der Prozess, der importiert, ist {times}-mal abgestürzt, bevor etwas geschrieben war. Prüfen Sie die Datei und ihre Zuordnung, oder teilen Sie die Datei; laden Sie sie dann erneut hoch, oder rufen Sie sie erneut ab',
  asideEndless:
    'beiseitegelegt: Der Import wurde {times}-mal begonnen und nie abgeschlossen. Prüfen Sie die Datei und ihre Zuordnung, oder teilen Sie die Datei; laden Sie sie dann erneut hoch, oder rufen Sie sie erneut ab',
  asideUnwritten:
    'beiseitegelegt: Der Import wurde {times}-mal begonnen, und nichts davon wurde geschrieben. Prüfen Sie die Datei und ihre Zuordnung, oder teilen Sie die Datei; laden Sie sie dann erneut hoch, oder rufen Sie sie erneut ab',
  budget:
    'das {budget} des Kontos reicht nicht: Von {limit} sind {used} verbraucht, und {wanted} mehr wären nötig. Löschen Sie etwas, oder bitten Sie den Betreiber des Dienstes, es zu erhöhen',
  budgetBytes:
    'das {budget} des Kontos reicht nicht: Von {limit} Bytes sind {used} verbraucht, und {wanted} mehr wären nötig. Löschen Sie etwas, oder bitten Sie den Betreiber des Dienstes, es zu erhöhen',
} satisfies Record<keyof typeof RUN_FORMS, string>
