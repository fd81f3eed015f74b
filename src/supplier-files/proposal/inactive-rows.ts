import { say } from '../../../contract/remarks/remarks.ts'
import { stateOf } from '../availability.ts'
import type { Mapping } from '../mapping/mapping.ts'
import { simplified } from './group-table.ts'
import type { Column } from './sample-columns.ts'

// Finds rows that the supplier no longer sells, or does not show, by a column that says so for a part of the rows: `discontinued`, `is_active` of 0,
// `Auslauf`. They are asked about and not left out, because the rest of a discontinued article may be for sale.
// docs/decisions/271-zero-is-no-price.md says why.

/** Names of columns that say yes for articles on sale, without `is` and the like in front. */
const ACTIVE = new Set(
  (
    'active enabled published visible online status sellable saleok forsale canbesold listed onlinestore showonline showinshop ' +
    'aktiv freigegeben sichtbar veröffentlicht verkäuflich onlineaktiv shopaktiv aktywny aktywna aktywność opublikowany widoczny ' +
    'widoczność actif active publié visible enligne activo activa publicado habilitado vigente attivo pubblicato visibile abilitato ' +
    'ativo habilitado publicado actief gepubliceerd zichtbaar aktivní viditelnost viditelný zobrazit aktívny aktivna publicerad synlig ' +
    'aktív látható activ vizibil aktif yayında активен активно активность активный опубликован показывать видимость активний активність'
  )
    .split(' ')
    .map(simplified),
)
/** Names of columns that say yes for articles that are not on sale. */
const INACTIVE = new Set(
  (
    'discontinued deleted archived hidden inactive disabled obsolete blocked unpublished endoflife eol phasedout withdrawn ' +
    'auslauf auslaufartikel auslaufend gesperrt gelöscht inaktiv archiviert abgekündigt nieaktywny wycofany wycofane usunięty ' +
    'zablokowany ukryty archiwalny inactif supprimé obsolète arrêté archivé masqué inactivo descatalogado descontinuado discontinuado ' +
    'eliminado obsoleto debaja inattivo eliminato fuoriproduzione inativo excluído uitlopend vervallen verwijderd vyřazeno smazáno ' +
    'skryté neaktivní utgått udgået inactiv pasif silindi удален архив снятспроизводства пометкаудаления видалено'
  )
    .split(' ')
    .map(simplified),
)
const AROUND =
  /^(?:is|ist|item|product|article|artikel|produkt|producto|produit|prodotto|produto|variant|shop|web|est|es|czy|je)(?=.{3})|(?:flag|status|yn|article|artikel|item|product|produkt)$/u

/** Values that say so by themselves, in columns of any name; each is the whole value. */
const WORDS = new Set(
  (
    'discontinued|inactive|disabled|archived|archive|unpublished|not published|deleted|obsolete|end of life|eol|phased out|phase out|withdrawn|' +
    'no longer available|no longer produced|not for sale|suspended|blocked|hidden|draft|auslauf|auslaufartikel|auslaufmodell|auslaufend|' +
    'abgekündigt|inaktiv|deaktiviert|gesperrt|gelöscht|archiviert|nicht mehr lieferbar|nicht aktiv|entfällt|nieaktywny|nieaktywna|nieaktywne|' +
    'wycofany|wycofana|wycofane|wycofany z oferty|zablokowany|usunięty|ukryty|archiwalny|inactif|inactive|désactivé|arrêté|supprimé|' +
    'fin de vie|fin de série|obsolète|inactivo|inactiva|descatalogado|descontinuado|descontinuada|discontinuado|obsoleto|de baja|' +
    'inattivo|fuori produzione|fuori catalogo|disattivato|inativo|inativa|fora de linha|uitgelopen|uitlopend|vervallen|inactief|' +
    'neaktivní|vyřazeno|ukončeno|neaktívny|inaktív|kifutó|megszűnt|utgått|udgået|utgår|poistunut|pasif|inactiv|' +
    'снят с производства|снято с производства|неактивен|неактивный|не активен|архив|удален|знято з виробництва|неактивний'
  ).split('|'),
)

/** More kinds than this are those of something else than whether an article is sold. */
const KINDS_MAX = 12
const VALUE_LENGTH_MAX = 40
const VALUES_SHOWN_MAX = 5

const normal = (value: string) =>
  value
    .toLowerCase()
    .replace(/[\s_-]+/gu, ' ')
    .trim()

const isNo = (value: string) => /^(?:0|0\.0|-1|f|off)$/u.test(value) || stateOf(value) === 'outOfStock'
const isYes = (value: string) => /^(?:1|1\.0|x|t|on)$/u.test(value) || stateOf(value) === 'inStock'

/** The name of a column in letters alone, without what is often around the word for the state. */
function bareName(name: string): string[] {
  const last = simplified(name.split('.').at(-1) ?? name)
  const short = last.replace(AROUND, '')
  return [last, short, short.replace(AROUND, '')]
}

/** The values of a column that say that an article is not sold; empty if it says nothing about that. */
function valuesOfInactive({ name, values }: Column): string[] {
  const kinds = new Set<string>()
  for (const value of values) {
    kinds.add(value)
    if (kinds.size > KINDS_MAX || value.length > VALUE_LENGTH_MAX) return []
  }
  const said = [...kinds].filter((value) => WORDS.has(normal(value)))
  if (said.length > 0) return said
  const names = bareName(name)
  const flags = [...kinds].map((value) => ({ value, text: normal(value) }))
  if (!flags.every(({ text }) => isNo(text) || isYes(text))) return []
  if (names.some((one) => INACTIVE.has(one))) return flags.flatMap(({ value, text }) => (isYes(text) ? [value] : []))
  return names.some((one) => ACTIVE.has(one)) ? flags.flatMap(({ value, text }) => (isNo(text) ? [value] : [])) : []
}

/** Fields whose columns are no state of an article, or are one that counts already. */
const OTHER_FIELDS = ['sku', 'title', 'description', 'ean', 'quantity', 'cost', 'manufacturer'] as const

/**
 * Asks about the first column by which a part of the rows is not sold, with a condition that leaves them out. Nothing is asked about a column that a
 * condition of the mapping reads, or from which the quantity is read, as `discontinued` counts as no pieces there.
 * @param rows the number of rows
 */
export function askAboutInactive(
  columns: readonly Column[],
  rows: number,
  { fields, skip, group }: Mapping,
  ask: (question: string) => void,
): void {
  const read = JSON.stringify([OTHER_FIELDS.map((field) => fields[field]), skip, group?.offers])
  for (const column of columns) {
    if (column.isList || read.includes(JSON.stringify(column.name))) continue
    const inactive = valuesOfInactive(column)
    const count = column.values.filter((value) => inactive.includes(value)).length
    if (count === 0 || count === rows) continue
    const values = inactive.slice(0, VALUES_SHOWN_MAX)
    ask(say('rows_not_sold', { inactive: count, rows, column: column.name, values }))
    return
  }
}
