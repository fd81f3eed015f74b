import { beforeEach, expect, test } from 'vitest'
import { expectAudited } from '../harness/account.ts'
import { ofFile } from '../harness/world.ts'
import { startImportService, type ImportAccount } from './import-service.ts'

// Two suppliers sell some of the same articles: one sends Shopify's CSV, which groups variants by handle, the other a Google feed
// with `item_group_id`. Their files are uploaded, and the groups that a store reads are compared with both files.

const at = ofFile(() => startImportService(['api', 'work']))
let account: ImportAccount
beforeEach(async () => {
  account = await at.enter()
})

const SIZES = ['S', 'M', 'L', 'XL', 'XXL'] as const
type Size = (typeof SIZES)[number]
const EANS: Record<Size, string> = {
  S: '4006381333931',
  M: '4000539002502',
  L: '5901234123457',
  XL: '4006381333115',
  XXL: '4006381333122',
}

interface Variant {
  size: Size
  /** This supplier sends it as a separate article, not as a variant of the tee. */
  isApart?: boolean
}
const of = (...sizes: Size[]): Variant[] => sizes.map((size) => ({ size }))
const apart = (...sizes: Size[]): Variant[] => sizes.map((size) => ({ size, isApart: true }))
const NORTH = of('S', 'M', 'L')
const SOUTH = of('M', 'L', 'XL', 'XXL')

const COLUMNS =
  'Handle,Title,Body (HTML),Vendor,Type,Published,Option1 Name,Option1 Value,Option2 Name,Option2 Value,Option3 Name,Option3 Value,Variant SKU,Variant Inventory Qty,Variant Price,Variant Barcode,Image Src,Status'
/** A CSV as Shopify writes it: facts of an article are in its first row. */
function shopify(variants: readonly Variant[]): string {
  const seen = new Set<string>()
  const rows = variants.map(({ size, isApart = false }) => {
    const handle = isApart ? `tee-${size.toLowerCase()}` : 'tee'
    const isFirst = !seen.has(handle)
    seen.add(handle)
    const article = isFirst ? 'Tee,,Loom,Shirts,true,Size' : ',,,,,'
    return `${handle},${article},${size},,,,,N-${size},5,20.00,${EANS[size]},,${isFirst ? 'active' : ''}\n`
  })
  return `${COLUMNS}\n${rows.join('')}`
}
const google = (variants: readonly Variant[]) =>
  `<rss version="2.0" xmlns:g="http://base.google.com/ns/1.0"><channel>${variants
    .map(
      ({ size, isApart = false }) =>
        `<item><g:id>S-${size}</g:id><title>Tee ${size}</title><g:price>99.00 PLN</g:price><g:availability>in_stock</g:availability><g:gtin>${EANS[size]}</g:gtin>${
          isApart ? '' : '<g:item_group_id>TEE-9</g:item_group_id>'
        }<g:size>${size}</g:size></item>`,
    )
    .join('')}</channel></rss>`

// without attributes, which would otherwise be announced besides the groups
const FIELDS = { attributes: null }
const ONE_KEY = { ...FIELDS, group_options: [{ key: 'size', column: 'Option1 Value' }] }

/** Uploads the next file of a supplier, and waits until its changes are shelved. */
async function bring(supplier: 'north' | 'south', variants: readonly Variant[], fields: object = FIELDS) {
  const isNorth = supplier === 'north'
  const form = new FormData()
  form.append('mapping', JSON.stringify({ preset: isNorth ? 'shopify' : 'google', locale: 'en', fields }))
  const file = new Blob([isNorth ? shopify(variants) : google(variants)])
  form.append('file', file, isNorth ? 'products.csv' : 'feed.xml')
  const path = `/v1/account/suppliers/${supplier}/imports?confirm=true`
  const answer = await account.http(path, { method: 'POST', body: form })
  expect([200, 202], answer.text).toContain(answer.status)
  const run = async () => (await account.http(`/v1/account/imports/${answer.body.data.id}`)).body.data
  await expect.poll(async () => (await run()).ended_at, { timeout: 20_000 }).not.toBe(null)
  const { state, refused, problem } = await run()
  expect({ state, refused, problem }).toEqual({ state: 'succeeded', refused: 0, problem: null })
  await settled()
}
async function settled() {
  await at.service.runtime.shelf.drain(account.accountId)
  await expectAudited(at.database.db, account.accountId)
}
/** Deletes offers that suppliers no longer list. */
async function forget(supplier: string, ...skus: string[]) {
  for (const sku of skus) {
    const { status } = await account.http(`/v1/account/suppliers/${supplier}/offers/${sku}`, { method: 'DELETE' })
    expect(status).toBe(204)
  }
  await settled()
}

interface Group {
  id: number
  options: { key: string; values: string[] }[]
  products: { id: number; ean: string; group: { id: number } }[]
}
/** The groups as the list shows them; the route of each group by its id must agree. */
async function groups(): Promise<Group[]> {
  const { data } = (await account.http('/v1/groups')).body as { data: { id: number; products: number }[] }
  const found = []
  for (const { id, products } of data) {
    const one = (await account.http(`/v1/groups/${id}`)).body.data as Group
    expect(one.products).toHaveLength(products)
    for (const { group } of one.products) expect(group.id).toBe(id)
    found.push(one)
  }
  return found
}
const sizeOf = (ean: string) => SIZES.find((size) => EANS[size] === ean) ?? ean
/** The sizes of each group, by its id. */
const sizes = async (): Promise<Record<number, string[]>> =>
  Object.fromEntries((await groups()).map(({ id, products }) => [id, products.map(({ ean }) => sizeOf(ean))]))
const options = async () =>
  (await groups()).map((group) => Object.fromEntries(group.options.map(({ key, values }) => [key, values])))

/** The sizes whose content the feed announces after `work`, which includes a change of their group. */
async function announcedBy(work: () => Promise<void>): Promise<string[]> {
  const { next_since: since, next_id: id } = (await account.http('/v1/changes?since=now')).body
  const groupOf = async () =>
    new Map((await groups()).flatMap((group) => group.products.map(({ ean }) => [sizeOf(ean), group.id] as const)))
  const before = await groupOf()
  await work()
  const after = await groupOf()
  const query = `since=${encodeURIComponent(since)}&since_id=${id}&expand=products`
  const { changes, products } = (await account.http(`/v1/changes?${query}`)).body as {
    changes: { product_id: number; change_types: string[] }[]
    products: Group['products']
  }
  const contents = new Set(
    changes.flatMap(({ product_id: of, change_types: types }) => (types.includes('content') ? [of] : [])),
  )
  const announced = products.filter((product) => contents.has(product.id))
  expect(announced).toHaveLength(contents.size)
  for (const { ean, group } of announced) expect(group.id).toBe(after.get(sizeOf(ean)))
  const found = announced.map(({ ean }) => sizeOf(ean))
  for (const size of SIZES) if (before.get(size) !== after.get(size)) expect(found).toContain(size)
  return SIZES.filter((size) => found.includes(size))
}

test('articles of two suppliers in two formats are one group with all that either lists, and right again after the second drops them', async () => {
  await bring('north', NORTH)
  const [id = 0] = Object.keys(await sizes()).map(Number)
  expect(await sizes()).toEqual({ [id]: ['S', 'M', 'L'] })
  expect(await announcedBy(() => bring('south', SOUTH))).toEqual(['XL', 'XXL'])
  expect(await sizes()).toEqual({ [id]: [...SIZES] })
  // each format names the option differently: two options, until the mapping gives them one key
  expect(await options()).toEqual([{ Size: ['S', 'M', 'L'], size: ['XL', 'XXL'] }])
  expect(await announcedBy(() => bring('north', NORTH, ONE_KEY))).toEqual(['S', 'M', 'L'])
  expect(await options()).toEqual([{ size: [...SIZES] }])

  // variants that are missing in the file are out of stock, but stay in their group
  expect(await announcedBy(() => bring('south', of('XXL')))).toEqual([])
  expect(await sizes()).toEqual({ [id]: [...SIZES] })
  // without these offers nothing connects the two suppliers' groups
  expect(await announcedBy(() => forget('south', 'S-M', 'S-L'))).toEqual(['XL', 'XXL'])
  const parted = await sizes()
  expect(Object.values(parted)).toEqual([
    ['S', 'M', 'L'],
    ['XL', 'XXL'],
  ])
  expect(parted[id]).toEqual(['S', 'M', 'L'])
  expect(await announcedBy(() => bring('south', SOUTH))).toEqual(['XL', 'XXL'])
  expect(await sizes()).toEqual({ [id]: [...SIZES] })

  // still in the file, but no longer as variants of the tee
  const alone = [...apart('M', 'L'), ...of('XL', 'XXL')]
  expect(await announcedBy(() => bring('south', alone))).toEqual(['XL', 'XXL'])
  expect((await sizes())[id]).toEqual(['S', 'M', 'L'])
  expect(await announcedBy(() => bring('south', SOUTH))).toEqual(['XL', 'XXL'])
  expect([await sizes(), await options()]).toEqual([{ [id]: [...SIZES] }, [{ size: [...SIZES] }]])
})

test('and after the first drops them', async () => {
  await bring('south', SOUTH)
  await bring('north', NORTH, ONE_KEY)
  const [id = 0] = Object.keys(await sizes()).map(Number)
  const all = ['M', 'L', 'XL', 'XXL', 'S']
  expect(await sizes()).toEqual({ [id]: all })
  // the first supplier separates all: variants that the second groups stay together, the others leave the group
  expect(await announcedBy(() => bring('north', apart('S', 'M', 'L'), ONE_KEY))).toEqual(['S', 'M', 'L'])
  expect(Object.values(await sizes())).toEqual([['M', 'L', 'XL', 'XXL'], ['S']])
  expect((await sizes())[id]).toEqual(['M', 'L', 'XL', 'XXL'])
  expect(await announcedBy(() => bring('north', NORTH, ONE_KEY))).toEqual(['S', 'M', 'L'])
  expect(await sizes()).toEqual({ [id]: all })
  // the file has only one of them, and the offers of the others are deleted
  expect(await announcedBy(() => bring('north', of('S'), ONE_KEY))).toEqual([])
  expect(await sizes()).toEqual({ [id]: all })
  expect(await announcedBy(() => forget('north', 'N-M', 'N-L'))).toEqual(['S', 'M', 'L'])
  expect(Object.values(await sizes())).toEqual([['M', 'L', 'XL', 'XXL'], ['S']])
  expect(await options()).toEqual([{ size: ['M', 'L', 'XL', 'XXL'] }, { size: ['S'] }])
  // and back
  expect(await announcedBy(() => bring('north', NORTH, ONE_KEY))).toEqual(['S', 'M', 'L'])
  expect(await sizes()).toEqual({ [id]: all })
})
