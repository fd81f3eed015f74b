import type { RemarkSentences, RemarkFormats } from '../remarks.ts'
import { costRemarks } from './de-costs.ts'

const RECOGNIZED = 'Daran werden Artikel in der nächsten Datei erkannt.'
const RECOGNIZED_BY_ALL = 'An ihnen werden Artikel in der nächsten Datei erkannt.'
const isKey = (columns: string) => `Ist ${columns} der Schlüssel der Artikel?`

const productsOfOthers = (rows: number, parent: string, { n, q, of }: RemarkFormats) =>
  `${n(rows)} ${of(rows, { one: 'Zeile ist das übergeordnete Produkt', other: 'Zeilen sind die übergeordneten Produkte' })} von anderen (${q(parent)}) und ${of(rows, { one: 'würde', other: 'würden' })} selbst als Artikel importiert.`

const repeatedKey = (repeated: number, rows: number, key: string, places: readonly string[], say: RemarkFormats) =>
  `${say.n(repeated)} von ${say.n(rows)} ${say.of(rows, { one: 'Zeile', other: 'Zeilen' })} ${say.of(repeated, { one: 'hat', other: 'haben' })} in ${say.q(key)} denselben Wert wie eine andere, aber einen anderen in ${say.or(places)}`

const aside = (run: number) =>
  `Die Datei ist die des Laufs ${run}. Sie wurde beiseitegelegt, weil der Prozess, der sie importierte, dabei abstürzte.`

/** Remarks about a file as a whole, in German. */
export const remarks = {
  ...costRemarks,
  no_header: () =>
    'In keiner Zeile stehen die Namen der Spalten. Die Spalten sind deshalb von 1 an nummeriert; was sie enthalten, ist nur an ihren Werten zu erkennen.',
  header_of_two_lines: ({ line }, { n }) =>
    `Die Namen der Spalten werden aus zwei Zeilen gelesen, die erste ist Zeile ${n(line)}. Ist die zweite kein Artikel?`,
  short_rows: () =>
    'Zeilen sind kürzer als die Zeile mit den Namen der Spalten. Die Zellen, die am Ende fehlen, gelten als leer.',
  articles_elsewhere: ({ items, passed_over }, { q }) =>
    `Die Artikel werden aus ${q(items)} gelesen und nicht aus der ersten Liste von Datensätzen, ${q(passed_over)}. Ist das richtig?`,
  lists_alike: ({ items, others }, { q }) =>
    `Die Artikel werden aus ${q(items)} gelesen. Datensätze in ${q(others)} haben dieselben Felder und werden ausgelassen. Sind es auch Artikel? Dann importieren Sie jede Liste als eigene Datei.`,
  tables_side_by_side: ({ tables }, { n }) =>
    `${n(tables)} Tabellen stehen unter denselben Namen nebeneinander und werden so gelesen, als stünden sie untereinander. Enthalten alle davon Artikel? Sonst wählen Sie unten eine davon.`,
  each_is_article: ({ list }, { q }) =>
    `Jedes Element von ${q(list)} gilt als Artikel, mit den Angaben, die der Datensatz für alle enthält. Ist das richtig?`,
  record_is_article: ({ list }, { q }) =>
    `Datensätze führen in ${q(list)} Artikel auf, aber von den ersten ließen sich nicht alle importieren, wenn jeder einzeln gelesen würde. Ist jeder Datensatz ein Artikel? Sonst geben Sie die Liste der Artikel in einem Datensatz an.`,
  sheets_alike: ({ sheets, sheet }, { and, q, of }) =>
    `${of(sheets.length, { one: 'Das Tabellenblatt', other: 'Die Tabellenblätter' })} ${and(sheets)} ${of(sheets.length, { one: 'hat', other: 'haben' })} dieselben Spalten wie ${q(sheet)}, und ein Import liest nur eines. Werden die Artikel dort nicht gebraucht? Sonst stellen Sie sie in einem Blatt untereinander.`,
  sheet_chosen: ({ sheet, first }, { q }) =>
    `Die Artikel werden aus dem Tabellenblatt ${q(sheet)} gelesen und nicht aus dem ersten, ${q(first)}. Ist das richtig?`,
  list_left_out: ({ elements, list }, { n, q }) =>
    `Ein Datensatz hat in ${q(list)} bis zu ${n(elements)} Elemente mit eigener Nummer oder EAN, von denen nichts gelesen wird. Sind es Artikel? Dann braucht die Datei eine eigene Zuordnung, in der ${q(list)} die Liste der Artikel in einem Datensatz ist.`,
  articles_left_out: ({ articles, column }, { n, q }) =>
    `Ein Datensatz hat in ${q(column)} bis zu ${n(articles)} Artikel, und nur der erste davon wird gelesen. Bitten Sie den Lieferanten um einen Datensatz oder eine Zeile je Artikel.`,
  near_languages: ({ languages, language }, say) =>
    `Die Texte sind in einer dieser Sprachen, die sich an den Wörtern nicht unterscheiden lassen: ${say.words(languages.map(say.language))}. Angenommen wird ${say.language(language)}. Ist das richtig?`,
  title_beside: ({ column, other }, { q }) =>
    `Ist ${q(column)} der Titel der Artikel oder ${q(other)}? Für die erste Spalte spricht, dass ihre Texte kurz sind.`,
  title_by_values: ({ column }, { q }) =>
    `Ist ${q(column)} der Titel der Artikel? Dafür sprechen nur die Werte der Spalte.`,
  title_with_html: ({ column, example }, { q }) =>
    `Titel in ${q(column)} enthalten HTML-Tags oder -Entities, etwa ${q(example)}. Die der ersten Zeilen werden entfernt. Ist das richtig? Ergänzen Sie unter „Texte ersetzen“ die, die in anderen Zeilen stehen.`,
  title_keeps_html: ({ example }, { q }) =>
    `Titel enthalten HTML-Tags oder -Entities, etwa ${q(example)}, und behalten sie: Shops zeigen sie so an. Unter „Texte ersetzen“ können Sie sie entfernen.`,
  no_title: () => 'Für den Titel wurde keine Spalte gefunden. Welche ist es?',
  decimal_unknown: ({ example, column, read, sign }, { q, decimal }) =>
    `${q(example)} in ${q(column)} wird als ${decimal(read)} gelesen. Ist das richtig? Sonst wählen Sie unten ${q(sign)} als Dezimalzeichen.`,

  key_code: ({ columns }, { and }) =>
    `${isKey(and(columns))} Keine Spalte heißt wie eine Artikelnummer; diese hat in jeder Zeile einen anderen Wert. ${RECOGNIZED}`,
  key_ean: ({ columns }, { and }) =>
    `${isKey(and(columns))} Die Spalte enthält EANs, die sich mit einer neuen Verpackung ändern und die manchen Artikeln fehlen können. ${RECOGNIZED}`,
  key_other: ({ columns }, { and }) =>
    `${isKey(and(columns))} Es ist die erste Spalte, die in jeder Zeile einen anderen Wert hat. ${RECOGNIZED}`,
  key_title: ({ columns }, { and }) =>
    `${isKey(and(columns))} Die Spalte enthält Titel: Ein Artikel, dessen Titel berichtigt wird, wird zu einem anderen. ${RECOGNIZED}`,
  key_words: ({ columns }, { and }) =>
    `${isKey(and(columns))} Die Spalte enthält Wörter, die in diesen Zeilen verschieden sind. ${RECOGNIZED}`,
  key_running: ({ columns }, { and }) =>
    `${isKey(and(columns))} Die Spalte zählt die Zeilen: Kommt darüber eine hinzu, wird ein Artikel zu einem anderen. ${RECOGNIZED}`,
  key_joined: ({ columns }, { and }) =>
    `Sind ${and(columns)} zusammen der Schlüssel der Artikel? Keine einzelne Spalte hat in jeder Zeile einen anderen Wert, diese zusammen aber schon. ${RECOGNIZED_BY_ALL}`,
  key_of_most: ({ columns, few, rows }, { and, n, of }) =>
    `${isKey(and(columns))} Keine Spalte hat in jeder Zeile einen anderen Wert: ${n(few)} von ${n(rows)} ${of(rows, { one: 'Zeile', other: 'Zeilen' })} ${of(few, { one: 'hat', other: 'haben' })} hier keinen oder den einer anderen und ${of(few, { one: 'wird', other: 'werden' })} abgelehnt. ${RECOGNIZED}`,
  key_with_gaps: ({ without, articles, key, instead }, { n, q, of }) =>
    `${n(without)} von ${n(articles)} Artikeln ${of(without, { one: 'hat', other: 'haben' })} nichts in ${q(key)} und ${of(without, { one: 'wird', other: 'werden' })} an ${q(instead)} erkannt. Ist das richtig? Wenn nur ${q(key)} die Artikelnummer ist, ${of(without, { one: 'wird die Zeile', other: 'werden die Zeilen' })} abgelehnt.`,
  key_repeats: ({ repeated, rows, key, instead }, { n, q, of }) =>
    `${n(repeated)} von ${n(rows)} ${of(rows, { one: 'Zeile', other: 'Zeilen' })} ${of(repeated, { one: 'hat', other: 'haben' })} in ${q(key)} denselben Wert wie eine andere. Artikel werden darum an ${q(instead)} erkannt. Ist das richtig? Wenn nur ${q(key)} die Artikelnummer ist, ${of(repeated, { one: 'wird diese Zeile', other: 'werden diese Zeilen' })} abgelehnt.`,
  key_with_options: ({ repeated, rows, key }, { n, q, of }) =>
    `${n(repeated)} von ${n(rows)} ${of(rows, { one: 'Zeile', other: 'Zeilen' })} ${of(repeated, { one: 'hat', other: 'haben' })} in ${q(key)} denselben Wert wie eine andere und ${of(repeated, { one: 'wird', other: 'werden' })} auch an ihren Optionen erkannt. Ist das richtig?`,

  headings_with_sums: ({ rows, column, example }, { n, q, of }) =>
    `${n(rows)} ${of(rows, { one: 'Zeile', other: 'Zeilen' })} ohne Wert in ${q(column)}, etwa ${q(example)}, ${of(rows, { one: 'ist eine Überschrift', other: 'sind Überschriften' })} mit der Summe des Bestands darunter und ${of(rows, { one: 'wird', other: 'werden' })} ausgelassen. Ist das richtig?`,
  kinds_left_out: ({ rows, column, kinds, cost }, { n, q, or, of }) =>
    `${n(rows)} ${of(rows, { one: 'Zeile hat', other: 'Zeilen haben' })} in ${q(column)} den Wert ${or(kinds)} und anders als die übrigen nichts in ${q(cost)}; sie ${of(rows, { one: 'wird', other: 'werden' })} ausgelassen. ${of(rows, { one: 'Ist das kein Artikel', other: 'Sind das keine Artikel' })}?`,
  rows_not_sold: ({ inactive, rows, column, values }, { n, q, or, of }) =>
    `${n(inactive)} von ${n(rows)} ${of(rows, { one: 'Zeile', other: 'Zeilen' })} ${of(inactive, { one: 'hat', other: 'haben' })} in ${q(column)} den Wert ${or(values)} und ${of(inactive, { one: 'wird', other: 'werden' })} wie die übrigen importiert. ${of(inactive, { one: 'Wird dieser Artikel', other: 'Werden diese Artikel' })} verkauft? Sonst lassen Sie unten die Zeilen aus, in denen ${q(column)} ${or(values)} ist.`,
  products_left_out: ({ products, rows, column }, { n, q, of }) =>
    `${n(products)} von ${n(rows)} ${of(rows, { one: 'Zeile', other: 'Zeilen' })} ${of(products, { one: 'ist', other: 'sind' })} nach ${q(column)} Produkte, deren Ausführungen eigene Zeilen haben, und ${of(products, { one: 'wird', other: 'werden' })} ausgelassen. Ist das richtig?`,
  maybe_headings: ({ rows, column, example }, { n, q, of }) =>
    `${n(rows)} ${of(rows, { one: 'Zeile hat', other: 'Zeilen haben' })} nichts in ${q(column)} und auch sonst wenig, etwa ${q(example)}. ${of(rows, { one: 'Ist es eine Überschrift', other: 'Sind es Überschriften' })}? Dann lassen Sie unten die Zeilen aus, in denen ${q(column)} leer ist.`,
  products_as_articles: ({ rows, parent }, say) =>
    `${productsOfOthers(rows, parent, say)} Kann man sie kaufen? Sonst geben Sie unter „Produkte auf mehreren Zeilen“ an, welche Zeilen Angebote sind.`,
  rows_without_title: ({ rows, column }, { n, q, of }) =>
    `${n(rows)} ${of(rows, { one: 'Zeile hat nichts', other: 'Zeilen haben nichts' })} in ${q(column)} und ${of(rows, { one: 'bekommt', other: 'bekommen' })} den Titel des Artikels darüber, obwohl keine Spalte sagt, worin sie sich von ihm ${of(rows, { one: 'unterscheidet', other: 'unterscheiden' })}. ${of(rows, { one: 'Ist es eine Ausführung', other: 'Sind es Ausführungen' })} dieses Artikels? Sonst nehmen Sie „Produkte auf mehreren Zeilen“ heraus, und ${of(rows, { one: 'sie wird', other: 'sie werden' })} abgelehnt.`,
  products_of_ready_mapping: ({ rows, parent }, say) =>
    `${productsOfOthers(rows, parent, say)} Kann man sie kaufen? Sonst lassen Sie diese Zeilen aus, oder geben Sie unter „Produkte auf mehreren Zeilen“ an, welche Zeilen Angebote sind.`,
  rows_of_places: ({ repeated, rows, key, places, differing }, say) =>
    `${repeatedKey(repeated, rows, key, places, say)}${differing.length === 0 ? '' : `, und auch ${say.and(differing)} ${say.of(differing.length, { one: 'ist', other: 'sind' })} dort anders`}. Ist ${say.q(key)} der Schlüssel der Artikel? Zeilen, die ihn wiederholen, werden abgelehnt, und ihr Bestand wird nicht zusammengezählt. Ein Schlüssel aus ${say.and([key, ...places])} macht aus jeder Zeile einen Artikel.`,
  rows_added_up: ({ repeated, rows, key, places, quantity, place }, say) =>
    `${repeatedKey(repeated, rows, key, places, say)}; ihr Wert in ${say.q(quantity)} wird zusammengezählt. Ist der ganze Bestand zu verkaufen? Sonst lassen Sie die Zeilen aus, für die das nicht gilt, und fassen Sie in der Zuordnung nur die anderen zusammen, nach ${say.q(place)}.`,

  no_quantity: () =>
    'Für den Bestand wurde keine Spalte gefunden. Angebote behalten den, den sie haben, und neue haben keinen.',
  quantity_by_values: ({ column }, { q }) =>
    `Ist ${q(column)} der Bestand der Artikel? Dafür sprechen nur die Werte der Spalte.`,
  quantity_yes_or_no: ({ column }, { q }) =>
    `Der Bestand wird aus ${q(column)} gelesen, wo nur Ja oder Nein steht. Ein Artikel zählt als 1 Stück oder keines.`,
  quantity_zero_or_one: ({ column }, { q }) =>
    `Der Bestand wird aus ${q(column)} gelesen, wo nur 0 und 1 stehen. Gibt das an, ob ein Artikel auf Lager ist? Dann zählt er als 1 Stück oder keines.`,
  quantity_all_zero: ({ column, rows }, { n, q }) =>
    `Ist ${q(column)} der Bestand der Artikel? In allen Zeilen (${n(rows)}) steht 0, wie in einer Spalte für Bestellungen.`,
  quantity_in_measure: ({ column }, { q }) =>
    `Ist der Bestand in ${q(column)} in Kilogramm, Litern oder Metern angegeben? Ein Import zählt Stück und schneidet Nachkommastellen ab.`,
  quantity_first_of: ({ most, column }, { n, q }) =>
    `Der Bestand ist der erste von bis zu ${n(most)} Werten in ${q(column)}, die anderen werden ausgelassen. In der Zuordnung als JSON zählt „sum“ sie zusammen, und „take“ nimmt einen anderen.`,
  quantity_beside: ({ column, places }, { q, and }) =>
    `Der Bestand wird aus ${q(column)} gelesen; was in ${and(places)} steht, wird ausgelassen. Ist es darin enthalten? Sonst zählt „sum“ in der Zuordnung als JSON alles zusammen.`,
  quantity_of_places: ({ places }, { and }) =>
    `Der Bestand ist die Summe aus ${and(places)}. Ist zu verkaufen, was an jedem dieser Orte liegt? Sonst nehmen Sie die Spalte aus der Summe heraus.`,
  quantity_of_locations: ({ columns }, { and, of }) =>
    `Ist zu verkaufen, was in ${and(columns)} steht? ${of(columns.length, { one: 'Diese Spalte gilt', other: 'Diese Spalten gelten' })} als Bestand von Standorten.`,
  category_with_gaps: ({ rows, without, column }, { n, q, of }) =>
    `${n(without)} von ${n(rows)} ${of(rows, { one: 'Zeile', other: 'Zeilen' })} ${of(without, { one: 'hat', other: 'haben' })} nichts in ${q(column)} und ${of(without, { one: 'wird', other: 'werden' })} ohne Kategorie importiert. Gilt eine Kategorie dort für alle Zeilen darunter? Dann bitten Sie den Lieferanten, sie in jeder Zeile zu nennen.`,
  quantity_of_pack: ({ column, price, total }, { q }) =>
    `Aus ${q(column)} wird kein Bestand gelesen: ${q(total)} ist in jeder Zeile ${q(price)} mal dieser Wert; er sagt also, wie viele Stück in einer Packung sind. Ist das richtig?`,
  quantity_perhaps_of_pack: ({ column }, { q }) =>
    `Der Bestand wird aus ${q(column)} gelesen, und fast alle Werte dort sind Vielfache von 6. Sagt die Spalte, wie viele Stück in einer Packung sind? Dann lassen Sie sie weg.`,
  list_price_perhaps: ({ column }, { q }) =>
    `Ist ${q(column)} die Preisempfehlung (UVP) des Lieferanten? Dann machen Sie sie zum Listenpreis, den Shops neben einem niedrigeren Preis zeigen. Das geschieht nicht automatisch, weil es auch Ihr eigener Preis sein kann.`,
  list_price_beside: ({ column, cost }, { q }) =>
    `${q(column)} gilt als Listenpreis, den Shops neben einem niedrigeren Preis zeigen, weil er über ${cost} liegt. Ist das ein Preis, den Sie zeigen dürfen?`,

  encoding_guessed: ({ encoding }) =>
    `Die Datei ist nicht in UTF-8 und wurde als ${encoding} gelesen. Stimmen Umlaute und Sonderzeichen nicht, wählen Sie in der Zuordnung einen anderen Zeichensatz.`,
  encoded_twice: ({ field, texts, wrong, right, example, line }, say) =>
    `${say.field(field)}: ${say.n(texts)} ${say.of(texts, { one: 'Text wurde', other: 'Texte wurden' })} schon vor dem Senden der Datei doppelt kodiert, mit ${say.q(wrong)} statt ${say.q(right)}. Der erste ist ${say.q(example)} in Zeile ${say.n(line)}. Importiert wird, was dasteht: Bitten Sie den Lieferanten, den Export zu berichtigen.`,
  open_end: ({ line, cells, columns }, { n, of }) =>
    `Zeile ${n(line)}: Die letzte Zeile hat kein Zeilenende und nur ${n(cells)} von ${n(columns)} ${of(columns, { one: 'Spalte', other: 'Spalten' })}. Ist die Datei hier abgeschnitten, fehlt der Rest.`,
  open_end_of_value: ({ line, value }, { n, q }) =>
    `Zeile ${n(line)}: Die letzte Zeile hat kein Zeilenende. Ist die Datei hier abgeschnitten, dann auch ihr letzter Wert, ${q(value)}.`,
  only_changes: () =>
    'Im Kopf der Datei steht LOADMODE: I. Sie enthält also nur, was sich geändert hat: Wählen Sie „Nur Änderungen“.',
  groups_too_late: () =>
    'Der Katalog ist zu groß, um auf seine Gruppen zu warten, die nach allen Artikeln kommen. Die Artikel haben keine Kategorie.',
  variants_too_late: () =>
    'Die Datei ist zu groß, um auf die Zeilen zu warten, die ihre Varianten nennen. Produkte, die davor stehen, behalten ihre Gruppe. Stellen Sie diese Zeilen an den Anfang, oder teilen Sie die Datei.',
  parents_missing: ({ rows }, { n, of }) =>
    `${n(rows)} ${of(rows, { one: 'Zeile nennt', other: 'Zeilen nennen' })} eine übergeordnete Zeile, die nicht in der Datei steht.`,
  parents_not_before: ({ rows }, { n, of }) =>
    `${n(rows)} ${of(rows, { one: 'Zeile nennt', other: 'Zeilen nennen' })} eine übergeordnete Zeile, die nicht davor in der Datei steht. Kann sie danach kommen, wählen Sie „Diese Zeilen können an beliebigen Stellen der Datei stehen“.`,
  columns_missing: ({ columns }, { and }) =>
    `Keine Zeile hat ${and(columns)}, obwohl die Zuordnung das nennt. Prüfen Sie die Schreibweise.`,
  column_empty: ({ column }, { q }) => `${q(column)} ist in jeder Zeile leer.`,
  list_missing: ({ list }, { q }) =>
    `Kein Datensatz hat eine Liste in ${q(list)}, wo die Zuordnung die Artikel eines Datensatzes sucht. Jeder Datensatz wird als ein Artikel gelesen.`,
  no_row_has_cost: () => 'Keine Zeile hat einen Einkaufspreis. Prüfen Sie, woraus die Zuordnung ihn liest.',
  decimals_mixed: ({ field, open, example, shown, other }, say) =>
    `${say.field(field)}: ${say.n(open)} ${say.of(open, { one: 'Wert wurde', other: 'Werte wurden' })} mit Punkt als Dezimalzeichen gelesen, etwa ${say.q(example)}, aber ${say.n(shown)} ${say.of(shown, { one: 'hat', other: 'haben' })} ein Komma, etwa ${say.q(other)}. Legen Sie das Dezimalzeichen in der Zuordnung fest.`,
  offers_kept: ({ rows, offers }, { n, of }) =>
    `${n(rows)} abgelehnte ${of(rows, { one: 'Zeile hat', other: 'Zeilen haben' })} keinen lesbaren Schlüssel und ${of(rows, { one: 'kann', other: 'können' })} ${of(offers, { one: `das ${n(offers)} fehlende Angebot betreffen: Es behält seinen`, other: `jedes der ${n(offers)} fehlenden Angebote betreffen: Diese behalten ihren` })} Bestand. ${of(rows, { one: 'Berichtigen Sie die Zeile', other: 'Berichtigen Sie die Zeilen' })}, lassen Sie sie aus, oder bestätigen Sie, dass ${of(offers, { one: 'das fehlende Angebot wegfällt', other: 'die fehlenden Angebote wegfallen' })}.`,

  file_tried_again: ({ run, hours }, { n, of }) =>
    `${aside(run)} Nach ${n(hours)} ${of(hours, { one: 'Stunde', other: 'Stunden' })} wird ihr Import noch einmal versucht.`,
  file_of_undone_run: ({ run }) =>
    `Die Datei ist die des Laufs ${run}, der rückgängig gemacht wurde. Sie wird wieder importiert, wenn sie oder die Zuordnung sich ändert oder wenn Sie einen Lauf von Hand starten.`,
  file_set_aside: ({ run, hours }, { n, of }) =>
    `${aside(run)} Wieder importiert wird sie ${n(hours)} ${of(hours, { one: 'Stunde', other: 'Stunden' })} danach, wenn sie oder die Zuordnung sich ändert oder wenn Sie einen Lauf von Hand starten.`,
  file_set_aside_for_good: ({ run, runs }, { n, of }) =>
    `${aside(run)} Wieder importiert wird sie, wenn sie oder die Zuordnung sich ändert oder wenn Sie einen Lauf von Hand starten, denn ${of(runs, { one: `${n(runs)} Lauf mit ihr wurde`, other: `${n(runs)} Läufe mit ihr wurden` })} beiseitegelegt.`,
} satisfies RemarkSentences
