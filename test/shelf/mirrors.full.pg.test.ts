import { describe, expect, test } from 'vitest'
import { ADDITIONAL_MEMBER_NAMES } from '../../contract/additional-members.ts'
import { PRODUCT_MEMBERS } from '../../contract/schemas.ts'
import { TEXT_FIELDS } from '../../contract/product-fields.ts'
import { writeOffers } from '../../src/catalog/products/offers/offers.ts'
import { editAccount } from '../../src/shelf/account.ts'
import type { Tx } from '../../src/db/sql.ts'
import { expectAudited, productIdsOf, type Said } from '../harness/account.ts'
import { client, tokenFor, type Answer, type Client } from '../harness/service.ts'
import { worldOfFile } from '../harness/world.ts'
import { EVERY_INPUT } from './every-input.ts'
import { openGround } from './ground.ts'
import type { Case } from './input-case.ts'

// Mirrors by expand=products, by look-ups of ids and by new exports are equal, member for member, after every kind of input has
// changed. Accounts have every additional member, so that each member is compared at least once with a value.

const { service } = worldOfFile({ service: {} })

interface Served {
  id: number
}
interface Window {
  changes: { product_id: number }[]
  products?: Served[]
  has_more: boolean
  next_since: string
  next_id: number
}
interface Cursor {
  since: string
  id: string
}
/** The served text of each product, because the order of members is compared as well. */
type Mirror = Map<number, string>

const read = async (get: Client, path: string): Promise<Answer> => {
  const answer = await get(path)
  expect([path, answer.status]).toEqual([path, 200])
  return answer
}
function put(mirror: Mirror, products: readonly Served[]): void {
  for (const product of products) mirror.set(product.id, JSON.stringify(product))
}

async function byExport(get: Client, store: string): Promise<{ mirror: Mirror; cursor: Cursor }> {
  const { body, headers } = await read(get, `/v1/export?store=${store}`)
  const mirror: Mirror = new Map()
  put(mirror, body as Served[])
  return {
    mirror,
    cursor: { since: headers.get('shelfwire-next-since') ?? '', id: headers.get('shelfwire-next-id') ?? '' },
  }
}

/** Brings a mirror up to date, in several small windows. */
async function follow(
  get: Client,
  store: string,
  from: { mirror: Mirror; cursor: Cursor },
  how: 'expand' | 'ids',
): Promise<Mirror> {
  const mirror: Mirror = new Map(from.mirror)
  const more = how === 'expand' ? '&expand=products' : ''
  for (let { since, id } = from.cursor; ;) {
    const path = `/v1/changes?store=${store}&since=${encodeURIComponent(since)}&since_id=${id}&limit=3${more}`
    const window = (await read(get, path)).body as Window
    const named = window.changes.map((change) => change.product_id)
    for (const product of named) mirror.delete(product)
    if (how === 'expand') put(mirror, window.products!)
    else if (named.length > 0)
      put(mirror, (await read(get, `/v1/products?store=${store}&ids=${named.join()}`)).body.data as Served[])
    if (!window.has_more) return mirror
    since = window.next_since
    id = String(window.next_id)
  }
}

/** The stores of the account, as requests name them. */
const STORES = ['main', 'de', 'pl']

const sorted = (mirror: Mirror) => [...mirror].sort(([a], [b]) => a - b)

const seen = new Set<string>()
/** Records which members have had a value that is not empty. */
function note(mirror: Mirror): void {
  for (const text of mirror.values())
    for (const [name, value] of Object.entries(JSON.parse(text) as Record<string, unknown>))
      if (value !== null && value !== '' && !(Array.isArray(value) && value.length === 0)) seen.add(name)
}

/** An offer with all texts. */
const WORDED = {
  sku: 'A3',
  texts: {
    en: Object.fromEntries(TEXT_FIELDS.map((field) => [field, `Its ${field}`])),
    de: { title: 'Nur ein Titel' },
  },
}

const cases = Object.entries(EVERY_INPUT).filter((entry): entry is [string, Case] => typeof entry[1] !== 'string')

describe('mirrors by expand, by ids and by export are equal', () => {
  test.each(cases)('%s', async (name, { before, between = [], change }) => {
    const { runtime, url } = service
    const here = await openGround(runtime, name)
    const { accountId } = here.account
    const say = async (work: (tx: Tx) => Promise<Said>) => {
      await runtime.shelf.write(accountId, async (tx) => ({ productIds: productIdsOf(await work(tx)) }))
      await runtime.shelf.drain(accountId)
    }
    await say((tx) => editAccount(tx, accountId, { additionalMembers: [...ADDITIONAL_MEMBER_NAMES] }))
    await say(async (tx) => (await writeOffers(tx, accountId, here.account.suppliers[0]!, [WORDED])).productIds)
    for (const step of before === undefined ? between : [before, ...between]) await say((tx) => step(tx, here))
    // drops the service's cached stores, which are outdated
    runtime.wake.notify('directory', accountId)
    const get = client(url, await tokenFor(runtime, accountId))
    const filled = await Promise.all(STORES.map((store) => byExport(get, store)))
    await say((tx) => change(tx, here))
    for (const [at, store] of STORES.entries()) {
      const now = (await byExport(get, store)).mirror
      note(now)
      expect(sorted(await follow(get, store, filled[at]!, 'expand'))).toEqual(sorted(now))
      expect(sorted(await follow(get, store, filled[at]!, 'ids'))).toEqual(sorted(now))
    }
    await expectAudited(runtime.db, accountId)
  })
})

test('each member of products was compared with a value', () => {
  expect(PRODUCT_MEMBERS.filter((name) => !seen.has(name))).toEqual([])
})
