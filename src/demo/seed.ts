import { randomBytes } from 'node:crypto'
import { ADDITIONAL_MEMBER_NAMES } from '../../contract/additional-members.ts'
import { createToken } from '../accounts/create-token.ts'
import { ownStockCandidates } from './own-stock.sql.ts'
import { createAssortmentRule } from '../catalog/settings/rules/assortment-rules.ts'
import { createExclusionRule } from '../catalog/settings/rules/exclusion-rules.ts'
import { pricingRulesList } from '../catalog/settings/rules/pricing-rules.sql.ts'
import { createRule, editRule } from '../catalog/settings/rules/pricing-rules.ts'
import { createCategory } from '../catalog/settings/content/categories.ts'
import { createGroup } from '../catalog/settings/stores/groups.ts'
import { setAttributeDefinitions } from '../catalog/settings/content/attribute-definitions.ts'
import { setRates } from '../catalog/settings/prices/rates.ts'
import { storesList } from '../catalog/settings/stores/stores.sql.ts'
import { createStore, editStore } from '../catalog/settings/stores/stores.ts'
import { createTaxClass } from '../catalog/settings/prices/tax-classes.ts'
import { suppliersList } from '../catalog/settings/suppliers/suppliers.sql.ts'
import { createSupplier } from '../catalog/settings/suppliers/suppliers.ts'
import { setOverrides, setOwnStock } from '../catalog/products/products.ts'
import { inTransaction, type Db, type Tx } from '../db/sql.ts'
import type { Wake } from '../db/wake.ts'
import { setOwner } from '../people/owner.ts'
import type { RoundingInput } from '../resolve/inputs.ts'
import { runImport } from '../imports/run.ts'
import { editAccount, openAccount } from '../shelf/account.ts'
import type { Shelf } from '../shelf/shelf.ts'
import { parseMapping } from '../supplier-files/mapping/mapping.ts'
import { readOfferPages } from '../supplier-files/read-offers.ts'
import { DEMO_ATTRIBUTES } from './catalog/data.ts'
import { demoSupplierFiles } from './catalog/supplier-files.ts'
import { addPrices, openPriceList } from './prices.ts'

/** Name of the demo account, by which a later start finds it. */
export const DEMO_ACCOUNT = 'Harbour Goods (demo)'

/** How many articles the suppliers of `npm start`'s demo have. */
export const DEMO_PRODUCTS = 2_000

export interface DemoAccess {
  accountId: number
  connectorToken: string
  fullToken: string
  /** The password of DEMO_EMAIL in the panel. */
  password: string
}

/** The e-mail address for signing in to the demo's panel. */
export const DEMO_EMAIL = 'demo@example.com'

export interface SeedProgress {
  step: string
  done: number
  total: number
}

/** Rounding of retail prices; wholesale prices are not rounded. */
const ENDINGS: Record<string, RoundingInput> = {
  GBP: { step: '1', ending: '0.99', direction: 'up' },
  EUR: { step: '1', ending: '0.95', direction: 'nearest' },
  PLN: { step: '10', ending: '9.99', direction: 'nearest' },
}

/** The merchant's own categories, with their German and Polish names; all other categories keep the suppliers' names. */
const DEMO_CATEGORIES = [
  ['Garden', 'Garten', 'Ogród'],
  ['Garden/Watering', 'Bewässerung', 'Nawadnianie'],
  ['Garden/Planters', 'Pflanzgefäße', 'Donice'],
  ['Garden/Hand Tools', 'Handgeräte', 'Narzędzia ręczne'],
  ['Garden/Cutting Tools', 'Schneidwerkzeuge', 'Narzędzia tnące'],
] as const
/** Categories with reduced tax. */
const REDUCED_TAX: ReadonlySet<string> = new Set(['Garden/Planters'])
const nameIn = (path: string) => path.slice(path.lastIndexOf('/') + 1)

/** Creates the demo account in one transaction: stores, groups, rates, rules, suppliers and tokens. */
export async function openDemo(db: Db): Promise<Omit<DemoAccess, 'password'>> {
  return inTransaction(db, async (tx) => {
    const { accountId } = await openAccount(tx, {
      name: DEMO_ACCOUNT,
      currency: 'EUR',
      locale: 'en',
      timeZone: 'Europe/Berlin',
      store: { slug: 'uk', name: 'Harbour Goods UK', locale: 'en-GB', currency: 'GBP' },
      group: 'Retail',
      markupPercent: '45',
      additionalMembers: ADDITIONAL_MEMBER_NAMES,
    })
    const { value: german } = await createStore(tx, accountId, {
      slug: 'de',
      name: 'Harbour Goods Deutschland',
      locale: 'de-DE',
      currency: 'EUR',
    })
    const { value: polish } = await createStore(tx, accountId, {
      slug: 'pl',
      name: 'Harbour Goods Polska',
      locale: 'pl-PL',
      currency: 'PLN',
    })
    const { value: wholesale } = await createGroup(tx, accountId, 'Wholesale', false, { pricesIncludeTax: false })
    const { value: club } = await createGroup(tx, accountId, 'Club')
    await setRates(tx, accountId, [
      { currency: 'GBP', rate: '0.8521' },
      { currency: 'PLN', rate: '4.2875' },
      { currency: 'USD', rate: '1.0832' },
    ])
    await createRule(tx, accountId, {
      name: 'Wholesale',
      percent: '18',
      groupIds: [wholesale],
      tiers: [
        { quantity: 10, by: 'percent_off', amount: '3' },
        { quantity: 50, by: 'percent_off', amount: '6' },
      ],
      priority: 20,
    })
    await createRule(tx, accountId, {
      name: 'Club in Germany',
      percent: '35',
      groupIds: [club],
      storeIds: [german],
      priority: 10,
    })
    await createRule(tx, accountId, { name: 'Club', percent: '38', groupIds: [club], priority: 30 })
    await createRule(tx, accountId, {
      name: 'Small change',
      percent: '90',
      costBelow: '4',
      rounding: ENDINGS,
      priority: 40,
    })
    await createRule(tx, accountId, {
      name: 'Tools',
      action: 'margin',
      percent: '28',
      categories: ['Tools'],
      floorProfit: '1.5',
      rounding: ENDINGS,
      priority: 50,
    })
    const standard = (await pricingRulesList(tx, accountId)).find((rule) => rule.isDefault)
    if (standard !== undefined) await editRule(tx, accountId, standard.ruleId, { rounding: ENDINGS })
    await createExclusionRule(tx, accountId, {
      name: 'Not in stock',
      kind: 'no_stock',
      reason: 'out of stock',
      storeIds: [polish],
    })
    await createAssortmentRule(tx, accountId, {
      storeId: polish,
      name: 'No garden goods',
      isListed: false,
      categories: ['Garden'],
    })
    await editAccount(tx, accountId, { skuPattern: 'HG{id}-{checksum}', priceJumpFactor: '3' })
    await setAttributeDefinitions(
      tx,
      accountId,
      DEMO_ATTRIBUTES.map((definition, position) => ({ ...definition, position })),
    )
    await openTax(tx, accountId)
    await openPriceList(tx, accountId, club)
    for (const [position, [path, de, pl]] of DEMO_CATEGORIES.entries()) {
      const supplierPaths = path.includes('/') ? [path] : []
      const taxClass = REDUCED_TAX.has(path) ? 'reduced' : null
      await createCategory(tx, accountId, {
        path,
        supplierPaths,
        position,
        taxClass,
        names: { en: nameIn(path), de, pl },
      })
    }
    for (const { supplier } of demoSupplierFiles(1)) await createSupplier(tx, accountId, supplier)
    return { accountId, ...(await demoTokens(tx, accountId)) }
  })
}

/** Stores show prices with the tax of their country; wholesale customers see them without tax. */
async function openTax(tx: Tx, accountId: number): Promise<void> {
  const rates = (percents: Readonly<Record<string, string>>) =>
    Object.entries(percents).map(([country, percent]) => ({ country, validFrom: '2021-01-01', percent }))
  await createTaxClass(tx, accountId, {
    key: 'standard',
    name: 'Standard rate',
    isDefault: true,
    codes: [],
    rates: rates({ GB: '20', DE: '19', PL: '23' }),
  })
  await createTaxClass(tx, accountId, {
    key: 'reduced',
    name: 'Reduced rate',
    isDefault: false,
    codes: [],
    rates: rates({ GB: '20', DE: '7', PL: '8' }),
  })
  for (const { storeId, slug } of await storesList(tx, accountId))
    await editStore(tx, accountId, storeId, {
      taxCountry: slug === 'uk' ? 'GB' : slug.toUpperCase(),
      pricesIncludeTax: true,
    })
}

/** New tokens for the demo account, for a start whose ACCESS_FILE was lost. */
export async function demoTokens(tx: Tx, accountId: number): Promise<Pick<DemoAccess, 'connectorToken' | 'fullToken'>> {
  const connector = await createToken(tx, { accountId, access: 'connector', name: 'Demo connector' })
  const full = await createToken(tx, { accountId, access: 'full', name: 'Demo full' })
  return { connectorToken: connector.token, fullToken: full.token }
}

/** Gives the demo's owner a new password; creates the owner if there is none. @returns the password */
export async function demoPassword(db: Db, accountId: number): Promise<string> {
  const password = randomBytes(10).toString('hex')
  await setOwner(db, accountId, { email: DEMO_EMAIL, name: 'Demo owner', password })
  return password
}

/**
 * Fills the demo account with the same functions as any other account: three suppliers' files are imported, the rest is written by the functions of
 * the rooms. `products` products in three languages and currencies. Safe to repeat after a crash.
 * @param pictures base URL of the suppliers' pictures, with a slash at the end; by default one without a server.
 */
export async function fillDemo(
  rooms: { db: Db; wake: Wake; shelf: Shelf },
  accountId: number,
  products: number,
  onProgress: (progress: SeedProgress) => void,
  pictures?: string,
): Promise<void> {
  const { db, wake, shelf } = rooms
  const suppliers = new Map((await suppliersList(db, accountId)).map((row) => [row.code, row]))
  const total = products * 3
  for (const [i, file] of demoSupplierFiles(products, pictures, true).entries()) {
    const supplier = suppliers.get(file.supplier.code)
    if (supplier === undefined) continue
    await runImport(
      db,
      wake,
      { accountId, supplier, mode: 'full' },
      readOfferPages(encode(file.text()), parseMapping(file.mapping)),
      ({ phase, done }) =>
        onProgress({
          step: `${file.supplier.name}: ${phase}`,
          done: phase === 'writing' ? i * products + done : i * products,
          total,
        }),
    )
    await shelf.drain(accountId, (shelved) =>
      onProgress({
        step: `${file.supplier.name}: resolving`,
        done: i * products + Math.min(products, shelved.products),
        total,
      }),
    )
  }
  await addOwn({ db, shelf }, accountId)
  await shelf.drain(accountId)
  onProgress({ step: 'ready', done: total, total })
}

/** Gives every twentieth product own stock, and a few of them a title and prices of the merchant's own. */
async function addOwn({ db, shelf }: { db: Db; shelf: Shelf }, accountId: number): Promise<void> {
  const candidates = await ownStockCandidates(db, accountId)
  await shelf.write(accountId, (tx) =>
    setOwnStock(
      tx,
      accountId,
      candidates.map(({ productId, cost }, i) => ({
        productId,
        quantity: 1 + (i % 9),
        cost: i % 3 === 0 ? null : cost,
      })),
    ),
  )
  await shelf.write(accountId, (tx) =>
    setOverrides(
      tx,
      accountId,
      candidates
        .slice(0, 10)
        .map(({ productId, title }) => ({ productId, field: 'title', locale: 'en', value: `${title} (our pick)` })),
    ),
  )
  const articles = candidates.flatMap(({ productId, cost }) => (cost === null ? [] : [{ productId, cost }]))
  await addPrices(shelf, accountId, articles)
}

async function* encode(chunks: Iterable<string>): AsyncGenerator<Uint8Array> {
  const encoder = new TextEncoder()
  for (const chunk of chunks) yield encoder.encode(chunk)
}
