import type { RemarkSentences, RemarkFormats } from '../remarks.ts'
import { costRemarks } from './pl-costs.ts'

const rowsOf = (count: number, { n, of }: RemarkFormats) =>
  `${n(count)} ${of(count, { one: 'wiersz', few: 'wiersze', many: 'wierszy', other: 'wiersza' })}`
/** „ma” or „mają”, depending on the count. */
const has = (count: number, { of }: RemarkFormats) => of(count, { one: 'ma', few: 'mają', many: 'ma', other: 'ma' })
const recognized = (count: number, { of }: RemarkFormats) =>
  of(count, {
    one: 'jest rozpoznawany',
    few: 'są rozpoznawane',
    many: 'jest rozpoznawanych',
    other: 'jest rozpoznawane',
  })
const refused = (count: number, { of }: RemarkFormats) =>
  of(count, {
    one: 'zostanie odrzucony',
    few: 'zostaną odrzucone',
    many: 'zostanie odrzuconych',
    other: 'zostanie odrzucone',
  })

const RECOGNIZED = 'Po nim artykuły są rozpoznawane w następnym pliku.'
const isKey = (columns: string) => `Czy ${columns} to klucz artykułów?`

const productsOfOthers = (rows: number, parent: string, say: RemarkFormats) =>
  `${rowsOf(rows, say)} to ${say.of(rows, { one: 'produkt nadrzędny', other: 'produkty nadrzędne' })} dla innych (${say.q(parent)}) i ${say.of(rows, { one: 'zostałby zaimportowany', few: 'zostałyby zaimportowane', many: 'zostałoby zaimportowanych', other: 'zostałoby zaimportowane' })} jako ${say.of(rows, { one: 'artykuł', other: 'artykuły' })}.`

const repeatedKey = (repeated: number, rows: number, key: string, places: readonly string[], say: RemarkFormats) =>
  `${say.n(repeated)} z ${say.n(rows)} wierszy ${has(repeated, say)} w ${say.q(key)} tę samą wartość co inny wiersz, ale inną w ${say.or(places)}`

const aside = (run: number) => `To plik importu ${run}. Odłożono go, ponieważ przerwał proces, który go importował.`
const AGAIN = 'gdy zmieni się on sam lub mapowanie albo gdy uruchomisz import ręcznie'
const hoursOf = (hours: number, { n, of }: RemarkFormats) =>
  `${n(hours)} ${of(hours, { one: 'godzinie', other: 'godzinach' })}`

/** Remarks about a file as a whole, in Polish. */
export const remarks = {
  ...costRemarks,
  no_header: () =>
    'W żadnym wierszu nie ma nazw kolumn. Kolumny nazywają się więc według swojego miejsca, od 1; co zawierają, widać tylko po wartościach.',
  header_of_two_lines: ({ line }, { n }) =>
    `Nazwy kolumn są odczytywane z dwóch wierszy, z których pierwszy to wiersz ${n(line)}. Czy drugi z nich nie jest artykułem?`,
  short_rows: () =>
    'Wiersze są krótsze niż wiersz z nazwami kolumn. Komórki, których brakuje na końcu, uznaje się za puste.',
  articles_elsewhere: ({ items, passed_over }, { q }) =>
    `Artykuły są odczytywane z ${q(items)}, a nie z pierwszej listy rekordów, ${q(passed_over)}. Czy to się zgadza?`,
  lists_alike: ({ items, others }, { q }) =>
    `Artykuły są odczytywane z ${q(items)}. Rekordy w ${q(others)} mają te same pola i zostają pominięte. Czy to też artykuły? Jeśli tak, zaimportuj każdą listę jako osobny plik.`,
  tables_side_by_side: ({ tables }, { n, of }) =>
    `${n(tables)} ${of(tables, { one: 'tabela stoi', few: 'tabele stoją', many: 'tabel stoi', other: 'tabeli stoi' })} obok siebie pod tymi samymi nazwami i ${of(tables, { one: 'jest czytana', few: 'są czytane', many: 'jest czytanych', other: 'jest czytane' })} tak, jakby jedna była pod drugą. Czy we wszystkich są artykuły? Jeśli nie, wybierz poniżej jedną z nich.`,
  each_is_article: ({ list }, { q }) =>
    `Każdy element ${q(list)} jest uznawany za artykuł, razem z tym, co rekord mówi o wszystkich. Czy to się zgadza?`,
  record_is_article: ({ list }, { q }) =>
    `Rekordy zawierają artykuły w ${q(list)}, ale z pierwszych nie wszystkie zostałyby zaimportowane, gdyby czytać każdy z osobna. Czy każdy rekord jest jednym artykułem? Jeśli nie, podaj listę artykułów w rekordzie.`,
  sheets_alike: ({ sheets, sheet }, { and, q, of }) =>
    `${of(sheets.length, { one: 'Arkusz', other: 'Arkusze' })} ${and(sheets)} ${of(sheets.length, { one: 'ma', other: 'mają' })} te same kolumny co ${q(sheet)}, a import czyta tylko jeden. Czy tamtejsze artykuły nie są potrzebne? Jeśli są, umieść je jedne pod drugimi w jednym arkuszu.`,
  sheet_chosen: ({ sheet, first }, { q }) =>
    `Artykuły są odczytywane z arkusza ${q(sheet)}, a nie z pierwszego, ${q(first)}. Czy to się zgadza?`,
  list_left_out: ({ elements, list }, { n, q, of }) =>
    `Rekord ma w ${q(list)} do ${n(elements)} ${of(elements, { one: 'elementu', other: 'elementów' })} z własnym numerem lub kodem EAN, z których nic nie jest odczytywane. Czy to artykuły? Jeśli tak, plik wymaga własnego mapowania, w którym ${q(list)} jest listą artykułów w rekordzie.`,
  articles_left_out: ({ articles, column }, { n, q, of }) =>
    `Rekord ma w ${q(column)} do ${n(articles)} ${of(articles, { one: 'artykułu', other: 'artykułów' })}, a odczytywany jest tylko pierwszy z nich. Poproś dostawcę o osobny rekord lub wiersz dla każdego artykułu.`,
  near_languages: ({ languages, language }, say) =>
    `Teksty są w jednym z języków, których nie da się tu odróżnić po słowach: ${say.words(languages.map(say.language))}. Przyjęto: ${say.language(language)}. Czy to się zgadza?`,
  title_beside: ({ column, other }, { q }) =>
    `Czy tytułem artykułów jest ${q(column)}, czy ${q(other)}? Za pierwszą kolumną przemawia to, że jej teksty są krótkie.`,
  title_by_values: ({ column }, { q }) =>
    `Czy ${q(column)} to tytuł artykułów? Wskazują na to tylko wartości w tej kolumnie.`,
  title_with_html: ({ column, example }, { q }) =>
    `Tytuły w ${q(column)} zawierają znaczniki lub encje HTML, na przykład ${q(example)}. Te z pierwszych wierszy są usuwane. Czy to się zgadza? Dodaj w „Zamień teksty” te, które są w innych wierszach.`,
  title_keeps_html: ({ example }, { q }) =>
    `Tytuły zawierają znaczniki lub encje HTML, na przykład ${q(example)}, i zachowują je: sklepy pokazują je bez zmian. W „Zamień teksty” możesz je usunąć.`,
  no_title: () => 'Nie znaleziono kolumny z tytułem. Która to kolumna?',
  decimal_unknown: ({ example, column, read, sign }, { q, decimal }) =>
    `${q(example)} w ${q(column)} jest odczytywane jako ${decimal(read)}. Czy to się zgadza? Jeśli nie, wybierz poniżej ${q(sign)} jako znak dziesiętny.`,

  key_code: ({ columns }, { and }) =>
    `${isKey(and(columns))} Żadna kolumna nie nazywa się jak numer artykułu; ta ma w każdym wierszu inną wartość. ${RECOGNIZED}`,
  key_ean: ({ columns }, { and }) =>
    `${isKey(and(columns))} Kolumna zawiera kody EAN, które zmieniają się z nowym opakowaniem i których artykuły mogą nie mieć. ${RECOGNIZED}`,
  key_other: ({ columns }, { and }) =>
    `${isKey(and(columns))} To pierwsza kolumna, która ma w każdym wierszu inną wartość. ${RECOGNIZED}`,
  key_title: ({ columns }, { and }) =>
    `${isKey(and(columns))} Kolumna zawiera tytuły: artykuł z poprawionym tytułem stanie się innym artykułem. ${RECOGNIZED}`,
  key_words: ({ columns }, { and }) =>
    `${isKey(and(columns))} Kolumna zawiera słowa, które w tych wierszach się różnią. ${RECOGNIZED}`,
  key_running: ({ columns }, { and }) =>
    `${isKey(and(columns))} Kolumna numeruje wiersze: gdy nad artykułem przybędzie wiersz, stanie się on innym artykułem. ${RECOGNIZED}`,
  key_joined: ({ columns }, { and }) =>
    `Czy ${and(columns)} to razem klucz artykułów? Żadna kolumna sama nie ma w każdym wierszu innej wartości, ale razem je odróżniają. ${RECOGNIZED}`,
  key_of_most: ({ columns, few, rows }, say) =>
    `${isKey(say.and(columns))} Żadna kolumna nie ma w każdym wierszu innej wartości: ${say.n(few)} z ${say.n(rows)} wierszy nie ${has(few, say)} tu żadnej albo ${has(few, say)} wartość innego wiersza i ${refused(few, say)}. ${RECOGNIZED}`,
  key_with_gaps: ({ without, articles, key, instead }, say) =>
    `${say.n(without)} z ${say.n(articles)} artykułów nie ${has(without, say)} nic w ${say.q(key)} i ${recognized(without, say)} po ${say.q(instead)}. Czy to się zgadza? Jeśli numerem artykułu jest tylko ${say.q(key)}, ${say.of(without, { one: 'jego wiersz zostanie odrzucony', other: 'ich wiersze zostaną odrzucone' })}.`,
  key_repeats: ({ repeated, rows, key, instead }, say) =>
    `${say.n(repeated)} z ${say.n(rows)} wierszy ${has(repeated, say)} w ${say.q(key)} tę samą wartość co inny wiersz, dlatego artykuły są rozpoznawane po ${say.q(instead)}. Czy to się zgadza? Jeśli numerem artykułu jest tylko ${say.q(key)}, ${say.of(repeated, { one: 'ten wiersz zostanie odrzucony', other: 'te wiersze zostaną odrzucone' })}.`,
  key_with_options: ({ repeated, rows, key }, say) =>
    `${say.n(repeated)} z ${say.n(rows)} wierszy ${has(repeated, say)} w ${say.q(key)} tę samą wartość co inny wiersz i ${recognized(repeated, say)} także po opcjach. Czy to się zgadza?`,

  headings_with_sums: ({ rows, column, example }, say) =>
    `${rowsOf(rows, say)} bez wartości w ${say.q(column)}, na przykład ${say.q(example)}, to ${say.of(rows, { one: 'nagłówek', other: 'nagłówki' })} z sumą ilości poniżej; ${say.of(rows, { one: 'jest pomijany', few: 'są pomijane', many: 'jest pomijanych', other: 'jest pomijane' })}. Czy to się zgadza?`,
  kinds_left_out: ({ rows, column, kinds, cost }, say) =>
    `${rowsOf(rows, say)} ${has(rows, say)} w ${say.q(column)} wartość ${say.or(kinds)} i inaczej niż pozostałe nie ${has(rows, say)} nic w ${say.q(cost)}; ${say.of(rows, { one: 'jest pomijany', other: 'są pomijane' })}. Czy to nie artykuły?`,
  rows_not_sold: ({ inactive, rows, column, values }, say) =>
    `${say.n(inactive)} z ${say.n(rows)} wierszy ${has(inactive, say)} w ${say.q(column)} wartość ${say.or(values)} i ${say.of(inactive, { one: 'jest importowany', few: 'są importowane', many: 'jest importowanych', other: 'jest importowane' })} tak jak pozostałe. Czy ${say.of(inactive, { one: 'ten artykuł jest', other: 'te artykuły są' })} w sprzedaży? Jeśli nie, pomiń poniżej wiersze, w których ${say.q(column)} to ${say.or(values)}.`,
  products_left_out: ({ products, rows, column }, say) =>
    `${say.n(products)} z ${say.n(rows)} wierszy to według ${say.q(column)} ${say.of(products, { one: 'produkt, którego wersje mają własne wiersze; jest pomijany', few: 'produkty, których wersje mają własne wiersze; są pomijane', many: 'produkty, których wersje mają własne wiersze; są pomijane', other: 'produkty, których wersje mają własne wiersze; są pomijane' })}. Czy to się zgadza?`,
  maybe_headings: ({ rows, column, example }, say) =>
    `${rowsOf(rows, say)} nie ${has(rows, say)} nic w ${say.q(column)} i niewiele poza tym, na przykład ${say.q(example)}. Czy to ${say.of(rows, { one: 'nagłówek', other: 'nagłówki' })}? Jeśli tak, pomiń poniżej wiersze, w których ${say.q(column)} jest puste.`,
  products_as_articles: ({ rows, parent }, say) =>
    `${productsOfOthers(rows, parent, say)} Czy można ${say.of(rows, { one: 'go', other: 'je' })} kupić? Jeśli nie, podaj w części „Produkty w kilku wierszach”, które wiersze są ofertami.`,
  rows_without_title: ({ rows, column }, say) =>
    `${rowsOf(rows, say)} nie ${has(rows, say)} nic w ${say.q(column)} i ${say.of(rows, { one: 'dostaje', few: 'dostają', many: 'dostaje', other: 'dostaje' })} tytuł artykułu z wiersza powyżej, choć żadna kolumna nie mówi, czym się od niego ${say.of(rows, { one: 'różni', few: 'różnią', many: 'różni', other: 'różni' })}. Czy to ${say.of(rows, { one: 'wersja', other: 'wersje' })} tego artykułu? Jeśli nie, usuń część „Produkty w kilku wierszach”, a ${say.of(rows, { one: 'wiersz zostanie odrzucony', other: 'wiersze zostaną odrzucone' })}.`,
  products_of_ready_mapping: ({ rows, parent }, say) =>
    `${productsOfOthers(rows, parent, say)} Czy można ${say.of(rows, { one: 'go', other: 'je' })} kupić? Jeśli nie, pomiń te wiersze albo podaj w części „Produkty w kilku wierszach”, które wiersze są ofertami.`,
  rows_of_places: ({ repeated, rows, key, places, differing }, say) =>
    `${repeatedKey(repeated, rows, key, places, say)}${differing.length === 0 ? '' : `, a różni się też ${say.and(differing)}`}. Czy ${say.q(key)} to klucz artykułów? Wiersze, które go powtarzają, są odrzucane, a ich ilości nie są sumowane. Klucz złożony z ${say.and([key, ...places])} czyni z każdego wiersza osobny artykuł.`,
  rows_added_up: ({ repeated, rows, key, places, quantity, place }, say) =>
    `${repeatedKey(repeated, rows, key, places, say)}; wartości w ${say.q(quantity)} są sumowane. Czy wszystko jest na sprzedaż? Jeśli nie, pomiń wiersze, które nie są, a w mapowaniu połącz tylko pozostałe, według ${say.q(place)}.`,

  no_quantity: () => 'Nie znaleziono kolumny z ilością. Oferty zachowują swoją ilość, a nowe nie mają żadnej.',
  quantity_by_values: ({ column }, { q }) =>
    `Czy ${q(column)} to stan magazynowy artykułów? Wskazują na to tylko wartości w tej kolumnie.`,
  quantity_yes_or_no: ({ column }, { q }) =>
    `Ilość jest odczytywana z ${q(column)}, gdzie jest tylko tak lub nie. Artykuł liczy się jako 1 sztuka albo żadna.`,
  quantity_zero_or_one: ({ column }, { q }) =>
    `Ilość jest odczytywana z ${q(column)}, gdzie jest tylko 0 i 1. Czy to znaczy, że artykuł jest dostępny lub nie? Wtedy liczy się jako 1 sztuka albo żadna.`,
  quantity_all_zero: ({ column, rows }, { n, q }) =>
    `Czy ${q(column)} to stan magazynowy artykułów? Wszystkie wiersze (${n(rows)}) mają tam 0, jak w kolumnie na zamówienia.`,
  quantity_in_measure: ({ column }, { q }) =>
    `Czy ilość w ${q(column)} podano w kilogramach, litrach lub metrach? Import liczy sztuki i pomija to, co jest po znaku dziesiętnym.`,
  quantity_first_of: ({ most, column }, { n, q }) =>
    `Ilość to pierwsza z maksymalnie ${n(most)} wartości w ${q(column)}, pozostałe są pomijane. W mapowaniu jako JSON "sum" je sumuje, a "take" wybiera inną.`,
  quantity_beside: ({ column, places }, { q, and }) =>
    `Ilość jest odczytywana z ${q(column)}, a to, co jest w ${and(places)}, jest pomijane. Czy jest w niej zawarte? Jeśli nie, w mapowaniu jako JSON "sum" je sumuje.`,
  quantity_of_places: ({ places }, { and }) =>
    `Ilość to suma ${and(places)}. Czy na sprzedaż jest to, co znajduje się w każdym z tych miejsc? Jeśli nie, usuń kolumnę z sumy.`,
  quantity_of_locations: ({ columns }, { and, of }) =>
    `Czy na sprzedaż jest to, co podaje ${and(columns)}? ${of(columns.length, { one: 'Tę kolumnę', other: 'Te kolumny' })} przyjęto jako stan magazynów.`,
  category_with_gaps: ({ rows, without, column }, say) =>
    `${say.n(without)} z ${say.n(rows)} wierszy nie ma nic w ${say.q(column)} i zostanie zaimportowane bez kategorii. Czy kategoria dotyczy tam wszystkich wierszy poniżej? Jeśli tak, poproś dostawcę o podanie jej w każdym wierszu.`,
  quantity_of_pack: ({ column, price, total }, { q }) =>
    `Z ${q(column)} nie jest odczytywana ilość: ${q(total)} to w każdym wierszu ${q(price)} razy ta wartość, więc mówi ona, ile sztuk jest w opakowaniu. Czy to się zgadza?`,
  quantity_perhaps_of_pack: ({ column }, { q }) =>
    `Ilość jest odczytywana z ${q(column)}, a prawie wszystkie wartości są tam wielokrotnościami 6. Czy kolumna mówi, ile sztuk jest w opakowaniu? Wtedy ją pomiń.`,
  list_price_perhaps: ({ column }, { q }) =>
    `Czy ${q(column)} to cena sugerowana przez dostawcę? Wtedy ustaw ją jako cenę katalogową, którą sklepy pokazują obok niższej ceny; nie jest tak odczytywana, bo może to być Twoja własna cena.`,
  list_price_beside: ({ column, cost }, { q }) =>
    `${q(column)} przyjęto jako cenę katalogową, którą sklepy pokazują obok niższej ceny, bo jest wyższa niż ${cost}. Czy to cena, którą możesz pokazywać?`,

  encoding_guessed: ({ encoding }) =>
    `Plik nie jest w UTF-8 i został odczytany jako ${encoding}. Jeśli polskie litery lub znaki specjalne są błędne, wybierz w mapowaniu inne kodowanie.`,
  encoded_twice: ({ field, texts, wrong, right, example, line }, say) =>
    `${say.field(field)}: ${say.n(texts)} ${say.of(texts, { one: 'tekst został zakodowany', few: 'teksty zostały zakodowane', many: 'tekstów zostało zakodowanych', other: 'tekstu zostało zakodowane' })} podwójnie jeszcze przed wysłaniem pliku, z ${say.q(wrong)} zamiast ${say.q(right)}. Pierwszy to ${say.q(example)} w wierszu ${say.n(line)}. Importowane jest to, co jest w pliku: poproś dostawcę o poprawienie eksportu.`,
  open_end: ({ line, cells, columns }, { n, of }) =>
    `Wiersz ${n(line)}: ostatni wiersz nie ma znaku końca i ma tylko ${n(cells)} z ${n(columns)} ${of(columns, { one: 'kolumny', other: 'kolumn' })}. Jeśli plik jest tu ucięty, brakuje dalszego ciągu.`,
  open_end_of_value: ({ line, value }, { n, q }) =>
    `Wiersz ${n(line)}: ostatni wiersz nie ma znaku końca. Jeśli plik jest tu ucięty, ucięta jest także jego ostatnia wartość, ${q(value)}.`,
  only_changes: () =>
    'W nagłówku pliku jest LOADMODE: I. Plik zawiera więc tylko to, co się zmieniło: wybierz „Tylko zmiany”.',
  groups_too_late: () =>
    'Katalog jest zbyt duży, aby czekać na grupy, które są po wszystkich artykułach. Artykuły nie mają kategorii.',
  variants_too_late: () =>
    'Plik jest zbyt duży, aby czekać na wiersze, które wymieniają swoje warianty. Produkty, które są przed nimi, zachowują swoją grupę. Umieść te wiersze na początku albo podziel plik.',
  parents_missing: ({ rows }, say) =>
    `${rowsOf(rows, say)} ${say.of(rows, { one: 'wskazuje', few: 'wskazują', many: 'wskazuje', other: 'wskazuje' })} wiersz nadrzędny, którego nie ma w pliku.`,
  parents_not_before: ({ rows }, say) =>
    `${rowsOf(rows, say)} ${say.of(rows, { one: 'wskazuje', few: 'wskazują', many: 'wskazuje', other: 'wskazuje' })} wiersz nadrzędny, którego nie ma wcześniej w pliku. Jeśli może być dalej, wybierz „Takie wiersze mogą być w dowolnym miejscu pliku”.`,
  columns_missing: ({ columns }, { and }) =>
    `Żaden wiersz nie ma ${and(columns)}, choć wymienia to mapowanie. Sprawdź pisownię.`,
  column_empty: ({ column }, { q }) => `${q(column)} jest puste w każdym wierszu.`,
  list_missing: ({ list }, { q }) =>
    `Żaden rekord nie ma listy w ${q(list)}, gdzie mapowanie szuka artykułów rekordu. Każdy rekord jest czytany jako jeden artykuł.`,
  no_row_has_cost: () => 'Żaden wiersz nie ma ceny zakupu. Sprawdź, skąd odczytuje ją mapowanie.',
  decimals_mixed: ({ field, open, example, shown, other }, say) =>
    `${say.field(field)}: ${say.n(open)} ${say.of(open, { one: 'wartość została odczytana', few: 'wartości zostały odczytane', many: 'wartości zostało odczytanych', other: 'wartości zostało odczytane' })} z kropką jako znakiem dziesiętnym, na przykład ${say.q(example)}, ale ${say.n(shown)} ${has(shown, say)} przecinek, na przykład ${say.q(other)}. Ustaw znak dziesiętny w mapowaniu.`,
  offers_kept: ({ rows, offers }, say) =>
    `${say.n(rows)} ${say.of(rows, { one: 'odrzucony wiersz nie ma', few: 'odrzucone wiersze nie mają', many: 'odrzuconych wierszy nie ma', other: 'odrzuconego wiersza nie ma' })} czytelnego klucza i ${say.of(rows, { one: 'może', few: 'mogą', many: 'może', other: 'może' })} dotyczyć ${say.of(offers, { one: `${say.n(offers)} brakującej oferty: zachowuje ona swoją ilość`, other: `każdej z ${say.n(offers)} brakujących ofert: zachowują one swoje ilości` })}. Popraw ${say.of(rows, { one: 'ten wiersz, pomiń go', other: 'te wiersze, pomiń je' })} albo potwierdź, że ${say.of(offers, { one: 'brakującej oferty', other: 'brakujących ofert' })} już nie ma.`,

  file_tried_again: ({ run, hours }, say) =>
    `${aside(run)} Po ${hoursOf(hours, say)} podjęta zostanie jeszcze jedna próba.`,
  file_of_undone_run: ({ run }) =>
    `To plik importu ${run}, który cofnięto. Plik zostanie ponownie zaimportowany, ${AGAIN}.`,
  file_set_aside: ({ run, hours }, say) =>
    `${aside(run)} Plik zostanie ponownie zaimportowany po ${hoursOf(hours, say)}, ${AGAIN}.`,
  file_set_aside_for_good: ({ run, runs }, { n, of }) =>
    `${aside(run)} Plik zostanie ponownie zaimportowany, ${AGAIN}, bo odłożono już ${n(runs)} ${of(runs, { one: 'import', few: 'importy', many: 'importów', other: 'importu' })} tego pliku.`,
} satisfies RemarkSentences
