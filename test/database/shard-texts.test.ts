import { describe, expect, test } from 'vitest'
import { must } from '../../src/platform/must.ts'
import { feedWindows } from '../../src/feed/changes.sql.ts'
import { pageAfter, pageAt, pageOf, productsAfter, type Shape } from '../../src/shelf/reads/payload-pages.sql.ts'
import { idsByEan, idsBySku, payloadsGet } from '../../src/shelf/reads/payload-reads.sql.ts'
import { readerOf } from '../../src/db/statements/template.ts'
import { accountOfAll, NEAR_TABLES, nearTextOf, shardTextOf } from '../../src/db/near/shard-texts.ts'

/** The statement that a function sends. */
async function sentBy(read: (reader: ReturnType<typeof readerOf>) => Promise<unknown>) {
  let sent: { text: string; values: unknown[] } | undefined
  await read(
    readerOf((text, values) => {
      sent = { text, values: values ?? [] }
      return Promise.reject(new Error('not sent'))
    }),
  ).catch(() => {})
  return must(sent)
}

const seesCosts = true
const window = { storeId: 2, since: new Date(0), id: 0, limit: 5 }
const SHAPES: readonly Shape[] = ['products', 'products-without-description', 'prices']

describe('what clients read is sent to the node of their account', () => {
  test.each([
    ['one product', (reader) => payloadsGet(reader, 7, [{ storeId: 2, productId: 3 }])],
    [
      'several products',
      (reader) =>
        payloadsGet(reader, 7, [
          { storeId: 2, productId: 3 },
          { storeId: 2, productId: 4 },
        ]),
    ],
    ['a window of the feed', (reader) => feedWindows(reader, 7, [window])],
    ['several windows', (reader) => feedWindows(reader, 7, [window, window])],
    ['products by SKU', (reader) => idsBySku(reader, 7, 2, 'A', 0, 5)],
    ...SHAPES.flatMap((shape): [string, Parameters<typeof sentBy>[0]][] => [
      [`a page of ${shape}`, (reader) => pageAt(reader, 7, 2, { shape, seesCosts }, 0, 5)],
      [`the next page of ${shape}`, (reader) => pageAfter(reader, 7, 2, { shape, seesCosts }, 3, 5)],
      [`named ${shape}`, (reader) => pageOf(reader, 7, 2, { shape, seesCosts }, [3, 4])],
      [`all ${shape}`, (reader) => productsAfter(reader, 7, 2, { shape, seesCosts }, 3, 5)],
    ]),
  ] satisfies [string, Parameters<typeof sentBy>[0]][])('%s', async (_, read) => {
    const { text, values } = await sentBy(read)
    const near = must(nearTextOf(text))
    expect(accountOfAll(near, values)).toBe(7)
    const sent = shardTextOf(near, () => 102_008, 3)
    expect(sent.replaceAll(/_102008\b|"/g, '')).toContain(text.replaceAll('"', ''))
    for (const table of NEAR_TABLES) expect(sent).not.toMatch(new RegExp(`\\b${table}\\b`))
    // the shard has to be on the node
    expect(sent).toContain('pg_dist_placement where shardid = 102008 and groupid = 3')
  })
})

describe('through the coordinator goes what', () => {
  test('reads from another table', async () => {
    const { text } = await sentBy((reader) => idsByEan(reader, 7, 2, { ean: '1', gtin: null }, 0, 5))
    expect(nearTextOf(text)).toBeNull()
  })

  test.each([
    ['names no account', 'select body from payload_price where store_id = $1'],
    ['names several accounts', 'select body from payload_price where account_id = any($1)'],
    ['joins another table', 'select 1 from payload_price p join token t on t.account_id = $1 where p.account_id = $1'],
    ['names a table after a comma', 'select 1 from payload_price p, payload_content c where p.account_id = $1'],
    ['names columns by the table', 'select payload_price.body from payload_price where account_id = $1'],
    ['calls a function', 'select 1 from payload_price, now() join some_rows($1) on true where account_id = $1'],
    ['writes', 'with d as (delete from change where account_id = $1 returning 1) select 1 from d'],
    ['locks', 'select body from payload_price where account_id = $1 for no key update'],
    ['locks against writers', 'select body from payload_price where account_id = $1 for share'],
  ])('%s', (_, text) => {
    expect(nearTextOf(text)).toBeNull()
  })

  test('has parameters of two accounts', () => {
    const near = must(
      nearTextOf('select 1 from change c join change_fence f on f.account_id = $2 where c.account_id = $1'),
    )
    expect(accountOfAll(near, [7, 7])).toBe(7)
    expect(accountOfAll(near, [7, 8])).toBeUndefined()
    expect(accountOfAll(near, undefined)).toBeUndefined()
  })
})
