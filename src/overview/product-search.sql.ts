import type { Reader } from '../db/sql.ts'
import { LIMITS } from '../platform/limits.ts'

// Finding a product by what a person knows of it.

/** Products with this very id, SKU (own or exported) or EAN. `id` is null where the text is no id. */
export async function productsNamed(
  reader: Reader,
  accountId: number,
  known: { id: number | null; text: string },
  limit: number,
): Promise<number[]> {
  const rows = await reader<{ productId: number }[]>`
    select product_id as "productId" from (
      select p.product_id from product p where p.account_id = ${accountId} and p.product_id = ${known.id} and p.deleted_at is null
      union
      select p.product_id from product p where p.account_id = ${accountId} and p.sku = ${known.text} and p.deleted_at is null
      union
      select e.product_id from product_ean e where e.account_id = ${accountId} and e.ean = ${known.text}
      union
      select e.product_id from product_ean e where e.account_id = ${accountId} and e.gtin = lpad(${known.text}, 14, '0')
        and ${known.text} ~ '^[0-9]{8,14}$'
      union
      select c.product_id from payload_content c
      where c.account_id = ${accountId} and c.sku = ${known.text}
        and c.store_id in (select s.store_id from store s where s.account_id = ${accountId})
    ) found order by product_id limit ${limit}`
  return rows.map((row) => row.productId)
}

/**
 * Products whose title in some store has this text in it, upper and lower case alike. Reads LIMITS.productSearchPayloadsMax payloads
 * at most; only where the text occurs at all is the payload taken apart.
 * @returns isCut: whether there are payloads that were not read
 */
export async function productsTitled(reader: Reader, accountId: number, text: string, limit: number) {
  const pattern = `%${text.replaceAll(/[\\%_]/g, '\\$&')}%`
  // as it is written in JSON
  const inBody = `%${JSON.stringify(text)
    .slice(1, -1)
    .replaceAll(/[\\%_]/g, '\\$&')}%`
  const [row] = await reader<{ productIds: number[]; isCut: boolean }[]>`
    with payload as materialized (
      select product_id, case when body ilike ${inBody} then body end as body from payload_content
      where account_id = ${accountId} limit ${LIMITS.productSearchPayloadsMax}
    )
    select (select count(*) from payload) >= ${LIMITS.productSearchPayloadsMax} as "isCut",
      array(
        select distinct product_id from payload
        where body is not null and (('{' || body || '}')::jsonb ->> 'title') ilike ${pattern}
        order by product_id limit ${limit}
      ) as "productIds"`
  return row ?? { productIds: [], isCut: false }
}

/** What is shown of found products, in the order of `productIds`: as the first store that lists one has it. */
export function productsFound(reader: Reader, accountId: number, productIds: readonly number[]) {
  return reader<{ id: number; sku: string | null; ean: string | null; title: string | null; stores: number }[]>`
    select p.product_id as id, coalesce(shown.member ->> 'sku', p.sku) as sku, shown.member ->> 'ean' as ean,
      shown.member ->> 'title' as title, coalesce(listed.stores, 0) as stores
    from unnest(${[...productIds]}::bigint[]) with ordinality as wanted (product_id, place)
    join product p on p.account_id = ${accountId} and p.product_id = wanted.product_id
    left join lateral (
      select count(*)::int as stores, min(c.store_id) as store_id from store s
      join payload_content c on c.account_id = ${accountId} and c.store_id = s.store_id and c.product_id = p.product_id
      where s.account_id = ${accountId}
    ) listed on true
    left join lateral (
      select ('{' || c.body || '}')::jsonb as member from payload_content c
      where c.account_id = ${accountId} and c.store_id = listed.store_id and c.product_id = p.product_id
    ) shown on true
    order by wanted.place`
}
