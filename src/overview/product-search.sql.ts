import type { Reader } from '../db/sql.ts'

// Finds products by an exact key.

/** Products with exactly this id, SKU (own or exported) or EAN. @param known `id`: null if the text is no id */
export async function productsNamed(
  reader: Reader,
  accountId: number,
  known: { id: number | null; text: string },
  limit: number,
): Promise<number[]> {
  // null, which equals nothing, if the text is no EAN
  const ean = /^[0-9]{1,14}$/.test(known.text) ? known.text : null
  const rows = await reader<{ productId: number }[]>`
    select product_id as "productId" from (
      select p.product_id from product p where p.account_id = ${accountId} and p.product_id = ${known.id} and p.deleted_at is null
      union
      select p.product_id from product p where p.account_id = ${accountId} and p.sku = ${known.text} and p.deleted_at is null
      union
      select e.product_id from product_ean e
      where e.account_id = ${accountId} and e.gtin = lpad(${ean}::text, 14, '0')
      union
      select e.product_id from product_ean e where e.account_id = ${accountId} and e.ean = ${ean}::text and e.gtin is null
      union
      select c.product_id from payload_content c
      where c.account_id = ${accountId} and c.sku = ${known.text}
        and c.store_id in (select s.store_id from store s where s.account_id = ${accountId})
    ) found order by product_id limit ${limit}`
  return rows.map((row) => row.productId)
}
