// What suppliers write in place of a missing value.

/** No value, in any column. */
const NOTHING =
  'n/a|na|n.a|n.v|does not apply|nicht zutreffend|non applicable|no aplica|nie dotyczy|nan|nil|null|none|not available|not applicable|unknown|undefined|tba|tbd|tbc|to be announced|to be confirmed|' +
  'k.a|keine|keine angabe|keine angaben|unbekannt|brak|brak danych|nieznany|nc|n.c|n.d|nd|s/d|sin datos|non disponibile|non disponible|' +
  'onbekend|neuvedeno|neznámé|nincs adat|ei tietoa|saknas|mangler|не указан|не указана|не указано|не указаны|не вказано|не вказана|не вказаний'

/** The price is on request. Each may follow the word for price. */
const ON_REQUEST =
  'call|call us|please call|call for price|call for pricing|call for quote|poa|p.o.a|por|p.o.r|on application|on request|upon request|' +
  'by request|request|request price|request quote|request a quote|request for quote|rfq|on quote|quote|quote on request|ask|please ask|ask us|ask for price|' +
  'inquire|enquire|please inquire|please enquire|inquiry|enquiry|contact|contact us|please contact us|market price|no price|without price|' +
  'auf anfrage|a.a|a anfrage|anfrage|anfragen|bitte anfragen|preis anfragen|auf nachfrage|auf anfr|paa|p.a.a|tagespreis|nach vereinbarung|nach aufwand|' +
  'kein preis|ohne preis|telefonisch|' +
  'na zapytanie|zapytaj|zapytaj o cenę|zapytaj o cene|do uzgodnienia|do ustalenia|do negocjacji|na telefon|telefonicznie|zadzwoń|brak ceny|cena do uzgodnienia|' +
  'sur demande|nous consulter|nous contacter|sur devis|devis|consultar|a consultar|consulte|consúltenos|bajo consulta|bajo petición|bajo demanda|a petición|' +
  'su richiesta|a richiesta|da definire|da concordare|op aanvraag|na dotaz|na vyžádání|na vyžiadanie|na dopyt|dle dohody|' +
  'sob consulta|a pedido|érdeklődjön|ajánlatkérés|kérésre|på begäran|på förfrågan|på forespørsel|på forespørgsel|efter aftale|etter avtale|' +
  'kontakta oss|kysy|kysy hintaa|pyynnöstä|la cerere|по запросу|по договоренности|за запитом|по запиту|по запросу цена|цена по запросу|договорная|договорная цена|договірна|за домовленістю|уточняйте|уточнюйте|под запрос|preço sob consulta|a convenir|precio a convenir|a confirmar|prezzo su richiesta|teklif alınız|teklif isteyiniz|на запитване|по запитване|на упит|na upit|sorunuz|fiyat sorunuz|pagal užklausą|pēc pieprasījuma|hinnapäring'

const PRICE =
  /^(?:the |der |le |el |il )?(?:price|preis|preise|cena|prix|precio|prezzo|prijs|preço|ár|pris|hinta|preț|цена|ціна|fiyat|kaina|cena netto)s? ?:? /u

const nothing = new Set(NOTHING.split('|').map(normalized))
const onRequest = new Set(ON_REQUEST.split('|').map(normalized))

/** Reduces `P.O.A.` and `poa` to one form, and `auf_Anfrage!` and `Auf Anfrage`. */
function normalized(text: string): string {
  return text
    .normalize('NFC')
    .toLowerCase()
    .replace(/(?<!\p{L})(\p{L})\. ?(?=\p{L}(?!\p{L}))/gu, '$1')
    .replace(/[.!*()[\]<>"']+/g, '')
    .replace(/[\s_\-\u2013\u2014]+/g, ' ')
    .trim()
}

/** The first letters of the words of NOTHING: most values begin with another letter, and are not normalized. */
const FIRST_LETTERS = new Set([...nothing].flatMap((word) => [word.charCodeAt(0), word.toUpperCase().charCodeAt(0)]))
const LETTERS = /^[a-zA-Z0-9]/

/** Longer texts are values. */
const LENGTH_MAX = 60
const SIGNS_ALONE = /^(?:[-\u2010-\u2015\u2212_\s]+|[.*?/\s]{2,}|[\u2026?]|#?n\/a|#nv|#n\/[db]!?|#н\/д)$/i

/** Whether a cell says that it has no value: `-`, `n/a`, `keine Angabe`. */
export function isNothing(text: string): boolean {
  if (text === '' || text.length > LENGTH_MAX) return false
  if (LETTERS.test(text) && !FIRST_LETTERS.has(text.charCodeAt(0))) return false
  return SIGNS_ALONE.test(text) || nothing.has(normalized(text))
}

/**
 * Whether a title is no title: only signs, or what a spreadsheet or program writes for a missing value. `None` may be the title of
 * a book.
 */
export const isNoTitle = (text: string): boolean =>
  text.length <= LENGTH_MAX &&
  (SIGNS_ALONE.test(text) || /^(?:null|undefined|#(?:ref|wert|value|name)[!?])$/i.test(text))

/** Whether a text other than a title is what a program writes for a missing text. */
export const isNoText = (text: string): boolean => text === 'null' || text === 'NULL' || text === 'undefined'

/** What spreadsheets write for an empty amount, with its currency: `- €`, `-,--`. */
const NO_AMOUNT =
  /^(?:(?:€|£|\$|zł|kč|eur|pln|czk|chf|usd|gbp)\s*)?[-\u2013\u2014](?:,[-\u2013\u2014]{1,2})?(?:\s*(?:€|£|\$|zł|kč|eur|pln|czk|chf|usd|gbp))?$/iu

/** The errors that a spreadsheet shows in place of an amount: `#VALUE!`, `#DIV/0!`, `#ЗНАЧ!`, `#¿NOMBRE?`. */
const FAILED_FORMULA = /^#[\p{L}¡¿/0]{2,12}[!?]$/u

/** Whether a cell of costs says that the cost is not known: `auf Anfrage`, `P.O.A.`, `-`, `#VALUE!`. */
export function isNoCost(text: string): boolean {
  if (text.length > LENGTH_MAX || /^\d/.test(text)) return false
  if (isNothing(text) || NO_AMOUNT.test(text) || FAILED_FORMULA.test(text)) return true
  const words = normalized(text)
  return onRequest.has(words) || onRequest.has(words.replace(PRICE, '')) || nothing.has(words.replace(PRICE, ''))
}
