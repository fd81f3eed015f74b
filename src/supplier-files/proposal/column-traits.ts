import { must } from '../../platform/must.ts'
import { stateOf } from '../availability.ts'
import { ARTICLE, isOfKinds } from './column-names.ts'
import { share, shareOfStated, type Column } from './sample-columns.ts'
import { isGtin, isYesNo } from './value-kinds.ts'

// Describes the values of a column as a whole.

/** Whether nearly all values of a column are words for yes and no. */
export const isSwitch = ({ values }: Column) => values.length > 0 && share(values, isYesNo) > 0.9

/** Whether a column has at most two different values for many articles, such as `goods` and `service`. A column of categories has more. */
export const isKind = ({ values }: Column) => values.length >= KIND_ROWS_MIN && new Set(values).size <= 2
const KIND_ROWS_MIN = 20
/** Whether a column has the same kind for many articles, as Odoo says of all goods that they are stored: that is no category. */
export const isOneKind = ({ name, values }: Column) =>
  values.length >= KIND_ROWS_MIN && new Set(values).size === 1 && isOfKinds(name)

/** Names of columns with the number of an article's parts: `Anzahl LEDs`, `Cantidad de puertos`. */
const COUNT_OF =
  /^(?:anzahl|aantal|antal|number|número|numero|počet|liczba|ilość|количество|кількість|cantidad|quantidade|quantité|quantità)\s+(?:(?:of|de|di|da|do|des|der|von|van|с|из)\s+|d['\u2019])?(\p{L}.{1,60})$/iu
const IS_STOCK =
  /stock|bestand|lager|verf|dispon|avail|beschik|exist|invent|magaz|sklad|dostęp|dostep|stück|stk|pcs|piece|unid|unit|uni\b|stuks|szt|sztuk|шт|нал|склад|наяв|остат|total|gesamt|actu|aktu|real|fís|fis|phys|free|frei|vrij|libre|livre|restan|kus|товар|produ|arti|item|^(?:in|im|en|em|na|op|på|auf|au|i|в|на|ks|st|db)\b/iu
/** Whether the name of a column means the number of an article's parts, and not the number of articles. */
export function isCountOf({ name }: Column): boolean {
  const [, what] = COUNT_OF.exec(name.trim()) ?? []
  return what !== undefined && !IS_STOCK.test(what)
}

/** Whether a column called `Handle` has the names of products in addresses, as in Shopify, and not the handles of tools. */
export const isSlugs = ({ values }: Column) =>
  share(values, (value) => /^[a-z0-9]+(?:-[a-z0-9]+)*$/.test(value) && /[a-z]/.test(value)) >= 0.9 &&
  new Set(values).size >= values.length * SLUGS_DISTINCT_MIN
const SLUGS_DISTINCT_MIN = 0.8

/** Whether a column called `Material` has the materials of articles, and not their numbers. */
export const isFabric = ({ name, values }: Column) =>
  /^material$/i.test(name.trim()) && share(values, (value) => /^\S*\d\S*$/.test(value)) < 0.9

/** Words for other things with names, whose column may contain a word for the title: `Название склада`, `Nombre del proveedor`. */
const NAMED_OTHER =
  /склад|warehouse|store|shop|supplier|vendor|lieferant|dostawc|proveedor|fornitor|fornecedor|fournisseur|leverancier|tedarik|поставщик|постачальник|бренд|brand|marca|marque|marke|производител|виробник|manufacturer|hersteller|categor|kategor|катего|групп|група|group|gruppe|customer|client|kunde|клиент|клієнт|seller|продав|location|company|firma|user|contact|owner|unit|status/iu
/** If this many rows have the same text, it is not the title of the articles. */
const SAME_ROWS_MIN = 10
/** Whether a column has the names of something other than articles, although a part of its name is one for titles. */
export const isNameOfOther = ({ name, values }: Column, score: number) =>
  score < WHOLE_NAME && (NAMED_OTHER.test(name) || (values.length >= SAME_ROWS_MIN && new Set(values).size === 1))
/** The score from which a whole name is known, and not only a part of it. */
const WHOLE_NAME = 2

/** Whether a column called `Artikel` or `Item` has the names of articles, and not their numbers. */
export const isNamesOfArticles = ({ name, values }: Column) =>
  ARTICLE.test(name.trim()) && share(values, (value) => /\d/.test(value)) < 0.7

/** Whether most values are paths of categories, whatever the name of the column: `Garden->Tools->Spades`. */
export const isPaths = ({ values }: Column) =>
  values.length >= 2 && share(values, (value) => value.split(/->|»|>>| > |\|/).length >= 3) >= 0.8

/** Whether most values are identifiers for programs rather than people: `red_shirt_2`, or numbers of models: `TS-20FW-BKRD`. */
export const isMachineReadable = ({ values }: { values: readonly string[] }) =>
  values.length > 0 &&
  share(values, (value) => /^(?:[a-z0-9]+(?:[_-][a-z0-9]+)+|(?=.*\d)[A-Z0-9]+(?:[_-][A-Z0-9]+)+)$/.test(value)) >= 0.8

/** Whether most values are only the content of a pack: `500 g`, `12 x 1 l`, `1 each`. */
export const isPackSize = ({ values }: Column) =>
  values.length > 0 && share(values, (value) => /^\d[\d.,x× ]{0,20}\p{L}{1,8}\.?$/iu.test(value)) >= 0.8

/** Whether most values have several words, as titles have. */
export const hasSeveralWords = ({ values }: Column) => share(values, (value) => /\p{L}.*\s.*\S/u.test(value)) > 0.5

/** Names of the stock that is not reserved, which the merchant can sell. It ranks above the stock on hand. */
const FREE =
  /disponib|verfügbar|verfuegbar|available|dostępn|dostepn|beschikbaar|vrije|\bfree\b|\bremaining\b|свободн|доступн|tillgänglig|διαθέσιμ/iu
/** Whether a column has the stock that is not reserved, in numbers. */
export const isFree = ({ name, values }: Column) =>
  FREE.test(name) && share(values, (value) => /^-?\d/.test(value)) > 0.9

/** Names that a column of stock and one of ordered pieces may have. */
const PIECES =
  /^(?:order )?(?:qty|quantity|pieces|menge|anzahl|stückzahl|ilość|sztuk|quantité|qté|cantidad|unidades|quantità|aantal|počet|množství|antal|количество|кол-?во|adet)\.?$/iu
/** The share of rows up to which a column may be the order quantities of a form, in which few rows are filled in. */
const ORDERED_MAX = 0.3
/** Whether a column has the order quantities of a form. */
export const isOrdered = ({ name, values }: Column, rows: number) =>
  values.length < rows * ORDERED_MAX && PIECES.test(name.trim())

/**
 * Whether most values are fractions below 1, such as `0.33`: the content of a bottle, and no pieces. Only for neutral names, because a stock may
 * be in metres.
 */
export const isContents = ({ name, values }: Column) =>
  PIECES.test(name.trim()) && share(values, (value) => /^0[.,]\d*[1-9]/.test(value)) > 0.5

/** Whether all values of a column are words about availability, and none is a number of pieces. */
export const isState = ({ values }: Column) =>
  values.length > 0 && values.every((value) => stateOf(value) !== undefined)

/** Whether a column has GTINs, whatever its name: most of 12 to 14 digits, because numbers of 8 digits may be anything. */
export const isListOfGtins = ({ values }: Column) =>
  values.length >= 2 &&
  shareOfStated(values, (value) => /^\D?(?:\d{8}|\d{12,14})$/.test(value) && isGtin(value)) >= 0.9 &&
  shareOfStated(values, (value) => /^\D?\d{12,14}$/.test(value)) >= LONG_GTINS_MIN
const LONG_GTINS_MIN = 0.6

// in two steps, because a single expression would try each possible end of the file name
export const isPicture = (value: string) =>
  /^https?:\/\/\S+$/i.test(value) && /.\.(?:jpe?g|png|webp|gif|avif)$/i.test(must(value.split(/[?#]/, 1)[0]))

/** Whether a text ends like the file of a picture, whatever its address. */
export const endsLikePicture = (value: string) => /\.(?:jpe?g|png|webp|gif|avif)(?:[?#"].*)?$/i.test(value)

/** Whether a column has the EANs of what articles are packed in: of cartons, in 14 digits, with one in front that says which packing. */
export const isEanOfPack = ({ name, values }: Column): boolean =>
  EAN_OF_PACK.test(name) || (values.length > 0 && values.every((value) => /^[1-8]\d{13}$/.test(value)))
const EAN_OF_PACK =
  /(?<!\p{L})(?:dun|itf)(?![a-z])|carton|karton|caja|caixa|(?<!\p{L})case|outer|inner|master|(?<!\p{L})box|colis|kart[oó]n|opak|krabic|kutu|(?<!\p{L})koli|pallet|palet|fardo|bulto|display|gebinde|umverp|(?<!\p{L})(?:multi)?pack|упаков|короб|ящик/iu
