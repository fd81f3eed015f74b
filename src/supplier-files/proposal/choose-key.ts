import type { ArticleList } from './propose-each.ts'
import type { Draft } from './draft.ts'
import { OTHER_AMOUNTS } from './lower-prices.ts'
import { REFUSED_WITHOUT_KEY } from './propose-by-names.ts'
import { idOfRepeated, keyAmong, keyOfGappy } from './propose-key.ts'

// The key of the articles: where no column is called so, and where the one that is does not tell them apart.

/** @throws ShelfwireError `source-unreadable` when nothing could be the key */
export async function proposeUnnamedKey({ columns, rows, fields, used, note, ask }: Draft): Promise<void> {
  const mayBeKeys = columns.filter(
    ({ name }) => name !== fields['cost'] && name !== fields['quantity'] && !OTHER_AMOUNTS.test(name),
  )
  const { columns: keys, question } = await keyAmong(mayBeKeys, rows)
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

/** Takes another key where the proposed one is empty or repeated in several rows. @param isBroughtTogether rows of a product are one offer */
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
  // of rows that are brought together, those without a key may be parts
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
