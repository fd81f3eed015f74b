import type { ArticleList } from './propose-each.ts'
import type { Draft } from './draft.ts'
import { OTHER_AMOUNTS } from './lower-prices.ts'
import { REFUSED_WITHOUT_KEY } from './propose-by-names.ts'
import { idOfRepeated, findKeyColumns, keyOfGappy } from './propose-key.ts'

// Proposes the key of the articles if no column is called like one, or if the one that is does not distinguish them.

/**
 * Proposes a key although no column is called like one, and asks about it. @throws ShelfwireError `source-unreadable` if no column can be the
 * key
 */
export async function proposeUnnamedKey({ columns, rows, fields, used, note, ask }: Draft): Promise<void> {
  const mayBeKeys = columns.filter(
    ({ name }) => name !== fields['cost'] && name !== fields['quantity'] && !OTHER_AMOUNTS.test(name),
  )
  const { columns: keys, question } = await findKeyColumns(mayBeKeys, rows)
  const shown = keys.map((column) => JSON.stringify(column)).join(' and ')
  fields['sku'] = keys.length === 1 ? keys[0] : { join: keys, with: '/' }
  for (const key of keys) used.add(key)
  note(
    'fields.sku',
    keys.length === 1
      ? `${shown}: the first column with another value in each row; check that it stays the same from file to file`
      : `${shown}: together they have another value in each row; check that they stay the same from file to file`,
  )
  ask(question, 'sku')
}

/**
 * Proposes another key if the proposed one is empty or repeated in several rows. @param isBroughtTogether whether rows of a product become
 * one offer
 */
export function proposeOtherKey(
  { rows, fields, used, reasons, ask }: Draft,
  {
    isGrouped,
    isBroughtTogether,
    list,
  }: { isGrouped: boolean; isBroughtTogether: boolean; list: ArticleList | undefined },
): void {
  const instead = (reasonOf: (reason: string) => string) => {
    for (const reason of reasons) if (reason[0] === 'fields.sku') reason[1] = reasonOf(reason[1])
  }
  // among rows that are brought together, those without a key may be parts
  const gappy = isBroughtTogether ? undefined : keyOfGappy(rows, fields, isGrouped)
  if (gappy !== undefined) {
    fields['sku'] = gappy.source
    instead((reason) =>
      reason.replace(REFUSED_WITHOUT_KEY, `where it is empty, articles are recognized by ${gappy.by}`),
    )
    ask(gappy.question, 'sku')
    return
  }
  const other = isGrouped || list !== undefined ? undefined : idOfRepeated(rows, fields)
  if (other === undefined) return
  fields['sku'] = other.id
  used.add(other.id)
  instead(() => `${JSON.stringify(other.id)}: each row has another value`)
  ask(other.question, 'sku')
}
