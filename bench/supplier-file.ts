import { open } from 'node:fs/promises'
import type { Db } from '../src/db/sql.ts'
import { parseMapping } from '../src/supplier-files/mapping/mapping.ts'
import type { FilledAccount } from './fill.ts'

const PAGE = 5_000

/** The mapping of the files that `writeSupplierFile` writes. */
export const SUPPLIER_FILE_MAPPING = parseMapping({
  format: 'ndjson',
  locale: 'de',
  fields: {
    sku: 'sku',
    cost: 'cost',
    quantity: 'quantity',
    ean: 'ean',
    manufacturer: 'manufacturer',
    category: 'category',
    'title.de': 'texts.de.title',
    'title.en': 'texts.en.title',
    'title.pl': 'texts.pl.title',
    'description.de': 'texts.de.description',
    'description.en': 'texts.en.description',
    'description.pl': 'texts.pl.description',
    images: ['images'],
    attributes: [{ object: 'attributes' }],
  },
})

/**
 * Writes a full file of the first supplier from its stored offers. Importing it changes only the costs of the offers for which
 * `isChanged` returns true.
 */
export async function writeSupplierFile(
  db: Db,
  account: FilledAccount,
  file: string,
  isChanged: (n: number) => boolean,
  onProgress: (rows: number) => void,
): Promise<{ rows: number; changed: number }> {
  const {
    accountId,
    suppliers: [supplier],
  } = account
  const out = await open(file, 'w')
  let rows = 0
  let changed = 0
  for (let after = ''; ;) {
    const page = await db<{ sku: string; cost: string; line: Record<string, unknown> }[]>`
      select o.supplier_sku as sku, o.cost::text, jsonb_build_object('sku', o.supplier_sku, 'quantity', o.quantity,
        'ean', (select ean from product_ean e where e.account_id = ${accountId} and e.product_id = o.product_id
          and e.supplier_id = ${supplier.supplierId} and e.supplier_sku = o.supplier_sku),
        'manufacturer', c.manufacturer, 'category', c.category, 'texts', c.texts, 'images', c.images,
        'attributes', (select jsonb_object_agg(a ->> 'key', a ->> 'value') from jsonb_array_elements(c.attributes) a)) as line
      from (
        select account_id, supplier_id, supplier_sku, product_id, cost, quantity from offer
        where account_id = ${accountId} and supplier_id = ${supplier.supplierId} and supplier_sku > ${after}
        order by supplier_sku limit ${PAGE}
      ) o cross join lateral (
        select manufacturer, category, texts, images, attributes from offer_content
        where account_id = ${accountId} and product_id = o.product_id and supplier_id = ${supplier.supplierId}
          and supplier_sku = o.supplier_sku offset 0
      ) c order by o.supplier_sku`
    const lines = page.map(({ cost, line }) => {
      const isNew = isChanged(rows++)
      if (isNew) changed++
      return `${JSON.stringify({ ...line, cost: isNew ? (Number(cost) + 1).toFixed(2) : cost })}\n`
    })
    await out.appendFile(lines.join(''))
    onProgress(rows)
    if (page.length < PAGE) break
    after = page.at(-1)?.sku ?? after
  }
  await out.close()
  return { rows, changed }
}
