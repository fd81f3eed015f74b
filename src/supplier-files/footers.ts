// Texts that are alone in a row at the end of a list or between its pages, are certainly no article, and are too short to be recognized as a
// sentence.

const COUNTED =
  'artikeln?|artikelen|articles|items|products|produkte[nr]?|produkter|positionen|zeilen|lines|rows|records|datensätze|einträge|entries|skus|' +
  'pozycji|pozycje|produktów|artykułów|wierszy|rekordów|artículos|productos|filas|registros|produits|références|lignes|enregistrements|' +
  'articoli|prodotti|righe|producten|regels|artigos|produtos|položek|řádků|záznamů|tétel|artiklar|rader|varer|позиций|товаров|позицій|товарів'
const AMOUNT = "\\d[\\d.,' \\u00a0\\u202f]*"
const WHOLE =
  'gesamt|insgesamt|total|in total|affected|selected|exported|razem|łącznie|celkem|totaal|au total|en total|in totale'

const counts = [
  // `300 Artikel gesamt`, `(300 rows affected)`
  new RegExp(`^\\(?${AMOUNT}\\s(?:${COUNTED})(?: (?:${WHOLE}))?\\)?[.!]?$`, 'iu'),
  // `Artikel: 300`, `Liczba pozycji: 300`
  new RegExp(
    `^(?:(?:anzahl|count|liczba|ilość|počet|aantal|nombre|número|numero|antal|количество)(?: (?:de |di |d.)?(?:${COUNTED}|${WHOLE}))?|${COUNTED})\\s?[:=]\\s${AMOUNT}$`,
    'iu',
  ),
]

const DATE = '(?:\\d{1,2}[./-] ?\\d{1,2}[./-] ?\\d{2,4}|\\d{4}[./-]\\d{1,2}[./-]\\d{1,2})'
const DATED =
  'stand|datum|druckdatum|erstellt|erzeugt|exportiert|gedruckt|gültig|gueltig|date|as of|valid|generated|created|printed|exported|updated|' +
  'data|stan|wygenerowano|utworzono|wydrukowano|ważny|ważne|obowiązuje|édité|imprimé|généré|valable|fecha|generado|creado|válido|' +
  'gegenereerd|geldig|vytvořeno|vygenerováno|platnost|platný|platné|platí'
const LIST =
  'preisliste|price ?list|cennik|ceník|cenník|prijslijst|liste de prix|tarif|tarifa|lista de precios|listino|katalog|catalogu?e?'
const TAX = 'mwst|ust|mehrwertsteuer|umsatzsteuer|vat|tva|iva|dph|btw|moms'
const NUMBER_OF = 'ust-?id(?:-?nr)?|steuernr|iban|nip|regon|siret|dič|ičo|kvk'

const footers = [
  /^(?:https?:\/\/|www\.)\S+$/iu,
  /^(?:e-?mail:? )?[^\s@]+@[^\s@]+\.[a-z]{2,}$/iu,
  /^(?:tel|telefon|telephone|phone|fax|telefax|faks|mobil|gsm|tél|téléphone|teléfono|telefoon)[.:]*\s*[+(\d][\d\s()/+.-]{4,}$/iu,
  /^(?:\(c\)|©|copyright)\s*(?:\d|.*\p{L})/iu,
  // `Stand 01.02.2026`, `gültig ab 01.03.2026`, `Erstellt: 01.02.2026 12:30`
  new RegExp(
    `^(?:${DATED}|${LIST})\\s?:?(?: \\p{L}{1,6})?:? ${DATE}(?:,? \\d{1,2}:\\d{2}(?::\\d{2})?(?: \\p{L}{1,3})?)?$`,
    'iu',
  ),
  new RegExp(`^(?:${LIST}) (?:19|20)\\d\\d(?:[/-]\\d{2,4})?$`, 'iu'),
  // `zzgl. MwSt.`, `19% MwSt`
  new RegExp(
    `^(?:(?:zzgl|zuzüglich|inkl|exkl|incl|excl|plus|ohne|hors|bez|sin|without)\\.? )?(?:\\d{1,2} ?% )?(?:ges\\. |gesetzl\\. )?(?:${TAX})(?:\\.|\\.? ?\\d{1,2} ?%)?$`,
    'iu',
  ),
  /\p{L} (?:vorbehalten|zastrzeżone|reserved|réservés|reservados|vyhrazena|vyhrazeny|voorbehouden)[.!]?$/iu,
  // `- 2 -`
  /^[-\u2013] ?\d{1,4} ?[-\u2013]$/u,
  new RegExp(`^(?:${NUMBER_OF})[.:]* (?=(?:\\D*\\d){5})[\\da-z .\\/-]+$`, 'iu'),
  /^.+ (?:gmbh(?: & co\. kg)?|sp\. ?z ?o\. ?o\.|s\. ?r\. ?o\.|b\.v\.|s\.l\.|sarl|ltd\.?)(?:$|, )/iu,
  /^<?eof>?$/iu,
]

/** Longer texts are no footers. */
const LENGTH_MAX = 120

/** Whether a text says how many articles or rows there are: `300 Artikel`, `Liczba pozycji: 300`. */
export const isCount = (text: string): boolean =>
  text.length <= LENGTH_MAX && counts.some((pattern) => pattern.test(text))

/** Whether a text is an address, a date of printing, a note on taxes or rights, or the like. */
export const isFooter = (text: string): boolean =>
  text.length <= LENGTH_MAX && footers.some((pattern) => pattern.test(text))
