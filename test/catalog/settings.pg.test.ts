import { expect, test } from 'vitest'
import { attributeDefinitionsList } from '../../src/catalog/settings/content/attribute-definitions.sql.ts'
import { ratesList } from '../../src/catalog/settings/prices/rates.sql.ts'
import { sourceOrdersList } from '../../src/catalog/settings/suppliers/source-orders.sql.ts'
import {
  type AttributeDefinitionChanges,
  deleteAttributeDefinition,
  editAttributeDefinition,
  type NewAttributeDefinition,
  setAttributeDefinitions,
} from '../../src/catalog/settings/content/attribute-definitions.ts'
import { setSourceOrder } from '../../src/catalog/settings/suppliers/source-orders.ts'
import { inTransaction, type Tx } from '../../src/db/sql.ts'
import { LIMITS } from '../../src/platform/limits.ts'
import {
  createAccount,
  giveOffers,
  offer,
  type TestAccount,
  expectAudited,
  writeAndShelve,
} from '../harness/account.ts'
import { refusal } from '../harness/refusal.ts'
import { worldOfFile } from '../harness/world.ts'

const { database, bench } = worldOfFile()

async function say<T>(account: TestAccount, work: (tx: Tx) => Promise<T>): Promise<T> {
  const result = await writeAndShelve(bench, account.accountId, work)
  await expectAudited(database.db, account.accountId)
  return result
}

/** Label and value of the only product's weight in each store: en, de, pl-PL. */
async function weights(account: TestAccount): Promise<string[]> {
  const rows = await database.db<{ body: string }[]>`
    select '{' || body || '}' as body from payload_content where account_id = ${account.accountId} order by store_id`
  return rows.map((row) => {
    const weight = (
      JSON.parse(row.body) as { attributes: { key: string; label: string; value: string }[] }
    ).attributes.find((entry) => entry.key === 'weight')
    return weight === undefined ? 'none' : `${weight.label}: ${weight.value}`
  })
}

test('an attribute is shown with the unit of each store’s language; edited entry by entry, and by its key when it is deleted', async () => {
  const account = await createAccount(bench, 'attributes')
  const { accountId } = account
  await giveOffers(bench, account, [offer('A', { attributes: [{ key: 'weight', value: '1.5' }] })])
  const edit = (changes: AttributeDefinitionChanges) =>
    say(account, (tx) => editAttributeDefinition(tx, accountId, 'weight', changes))
  await say(account, (tx) =>
    setAttributeDefinitions(tx, accountId, [
      { key: 'weight', unit: 'kg', units: { en: 'lb' }, position: 1, labels: { en: 'Weight', de: 'Gewicht' } },
    ]),
  )
  // kg is the unit in every locale that is not named, also if the account's own locale has another
  expect(await weights(account)).toEqual(['Weight (lb): 1.5', 'Gewicht (kg): 1,5', 'Weight (kg): 1,5'])
  await edit({ units: { en: null, 'PL-pl': 'kilo' }, labels: { pl: 'Waga' } })
  expect(await weights(account)).toEqual(['Weight (kg): 1.5', 'Gewicht (kg): 1,5', 'Waga (kilo): 1,5'])
  await edit({ unit: null, labels: { de: null } })
  expect(await weights(account)).toEqual(['Weight: 1.5', 'Weight: 1.5', 'Waga (kilo): 1,5'])
  await edit({ options: { '1.5': { de: 'anderthalb' }, heavy: { en: 'Heavy' } }, units: null })
  expect(await weights(account)).toEqual(['Weight: 1.5', 'Weight: anderthalb', 'Waga: 1.5'])
  await edit({ options: { '1.5': { en: 'one and a half' }, heavy: null } })
  expect(await attributeDefinitionsList(database.db, accountId)).toEqual([
    {
      key: 'weight',
      unit: null,
      units: {},
      position: 1,
      labels: { en: 'Weight', pl: 'Waga' },
      options: { '1.5': { de: 'anderthalb', en: 'one and a half' } },
      type: null,
      separator: null,
      decimal: null,
    },
  ])
  await edit({ options: null, labels: null, position: 7 })
  expect(await attributeDefinitionsList(database.db, accountId)).toEqual([
    {
      key: 'weight',
      unit: null,
      units: {},
      position: 7,
      labels: {},
      options: {},
      type: null,
      separator: null,
      decimal: null,
    },
  ])
  await edit({ unit: 'kg', labels: { en: 'Weight' } })
  await say(account, (tx) => deleteAttributeDefinition(tx, accountId, 'weight'))
  expect(await weights(account)).toEqual(['weight: 1.5', 'weight: 1.5', 'weight: 1.5'])
})

test('an edit that changes nothing sweeps nothing, and a definition set as a whole loses what is left out', async () => {
  const account = await createAccount(bench, 'attributes-same')
  const { accountId } = account
  const whole: NewAttributeDefinition = {
    key: 'size',
    unit: 'cm',
    units: { pl: 'cm.', de: 'Zentimeter' },
    position: 3,
    labels: { en: 'Size', de: 'Größe' },
    options: { __proto__x: { en: 'x' } },
  }
  await say(account, (tx) => setAttributeDefinitions(tx, accountId, [whole]))
  const edit = (changes: AttributeDefinitionChanges) =>
    inTransaction(database.db, (tx) => editAttributeDefinition(tx, accountId, 'size', changes))
  const sweeps = async () => (await database.db`select from sweep where account_id = ${accountId}`).length
  await edit({})
  await inTransaction(database.db, (tx) => setAttributeDefinitions(tx, accountId, [whole]))
  await edit({ unit: 'cm', units: { de: 'Zentimeter' }, labels: { fr: null }, options: { none: null }, position: 3 })
  expect(await sweeps()).toBe(0)
  await edit({
    options: JSON.parse('{"__proto__": {"en": "proto"}, "constructor": {"en": "c"}}') as NonNullable<
      AttributeDefinitionChanges['options']
    >,
  })
  expect(await sweeps()).toBe(1)
  const [row] = await attributeDefinitionsList(database.db, accountId)
  expect(Object.entries(row!.options).sort()).toEqual([
    ['__proto__', { en: 'proto' }],
    ['__proto__x', { en: 'x' }],
    ['constructor', { en: 'c' }],
  ])
  await say(account, (tx) =>
    setAttributeDefinitions(tx, accountId, [{ key: 'size', unit: null, position: 0, labels: {} }]),
  )
  expect(await attributeDefinitionsList(database.db, accountId)).toEqual([
    {
      key: 'size',
      unit: null,
      units: {},
      position: 0,
      labels: {},
      options: {},
      type: null,
      separator: null,
      decimal: null,
    },
  ])
})

test('invalid members are refused by their names, and nothing is written', async () => {
  const account = await createAccount(bench, 'attributes-refused')
  const { accountId } = account
  await say(account, (tx) =>
    setAttributeDefinitions(tx, accountId, [{ key: 'size', unit: null, position: 0, labels: { en: 'Size' } }]),
  )
  const before = await attributeDefinitionsList(database.db, accountId)
  const refused = (changes: AttributeDefinitionChanges, key = 'size') =>
    refusal(inTransaction(database.db, (tx) => editAttributeDefinition(tx, accountId, key, changes)))
  expect(
    await refused({
      unit: '',
      position: 1.5,
      units: { 'not a locale': 'cm' },
      labels: { en: '', de: 'x'.repeat(LIMITS.nameLengthMax + 1) },
      options: { red: { en: 'a\0' } },
    }),
  ).toMatchObject({
    code: 'invalid-input',
    names: ['unit', 'position', 'options.red.en', 'units.not a locale', 'labels.en', 'labels.de'],
  })
  expect(await refused({ labels: { 'de-AT': 'a', 'DE-at': 'b' } })).toMatchObject({
    code: 'invalid-input',
    names: ['labels.DE-at'],
  })
  expect(await refused({ position: 2 ** 40 })).toMatchObject({ names: ['position'] })
  expect(
    await refused({
      labels: Object.fromEntries(
        Array.from({ length: LIMITS.localesPerDefinitionMax + 1 }, (_, i) => [`en-x-l${i}`, 'Size']),
      ),
    }),
  ).toMatchObject({ names: ['labels'] })
  expect(await refused({ position: 2 }, 'none')).toMatchObject({ code: 'unknown-reference' })
  const set = (definitions: NewAttributeDefinition[]) =>
    refusal(inTransaction(database.db, (tx) => setAttributeDefinitions(tx, accountId, definitions)))
  const wrong = (key: string) => ({ key, unit: '', position: 0, labels: { '?': 'x' } })
  // messages name the members, preceded by the key if there are several definitions
  expect((await set([wrong('a')])).names).toEqual(['unit', 'labels.?'])
  expect((await set([wrong('a'), wrong('b')])).names).toEqual(['a.unit', 'a.labels.?', 'b.unit', 'b.labels.?'])
  expect(await attributeDefinitionsList(database.db, accountId)).toEqual(before)
})

test('rates and source orders are listed as they were set', async () => {
  const account = await createAccount(bench, 'lists')
  const { accountId, suppliers } = account
  expect(await ratesList(database.db, accountId)).toMatchObject([
    { currency: 'PLN', rate: '4' },
    { currency: 'USD', rate: '1.25' },
  ])
  const [north = 0, south = 0] = suppliers.map((row) => row.supplierId)
  await say(account, async (tx) => {
    await setSourceOrder(tx, accountId, 'title', [south, north])
    await setSourceOrder(tx, accountId, 'images', [north])
    await setSourceOrder(tx, accountId, 'sku', [south])
    await setSourceOrder(tx, accountId, 'sku', [])
  })
  expect(await sourceOrdersList(database.db, accountId)).toEqual([
    { field: 'images', supplierIds: [north] },
    { field: 'title', supplierIds: [south, north] },
  ])
})
