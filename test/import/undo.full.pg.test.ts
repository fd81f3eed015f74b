import { hash } from 'node:crypto'
import { clearImmediate, setImmediate } from 'node:timers'
import { beforeAll, expect, test } from 'vitest'
import { deleteOffer } from '../../src/catalog/products/offers/delete-offer.ts'
import { writeOffers } from '../../src/catalog/products/offers/offers.ts'
import { inTransaction } from '../../src/db/sql.ts'
import { changesPage } from '../../src/imports/runs/undo/changes-page.ts'
import { previewUndo, type UndoPreview } from '../../src/imports/runs/undo/preview-undo.ts'
import { cancelRun, undoRun } from '../../src/imports/runs/runs.ts'
import { changesAfter, runGet } from '../../src/imports/runs/runs.sql.ts'
import { LIMITS } from '../../src/platform/limits.ts'
import { createAccount, giveOffers, offer, type Bench, expectAudited } from '../harness/account.ts'
import type { TestDatabase } from '../harness/database.ts'
import { MAPPING, offersOf, openRunBench, payloadsOf } from './run-bench.ts'
import { ofFile } from '../harness/world.ts'

// The changes of a full run can be undone exactly, without touching later changes.

let database: TestDatabase
let bench: Bench
const runs = ofFile(openRunBench)
beforeAll(async () => {
  ;({ database, bench } = runs)
})

const FIRST = `sku,cost,qty,title,ean
A,10.50,5,Spade,4006381333931
B,8,1,Rake,
C,7,0,Hoe,9780201379624
D,6,3,Pick,
E,5,9,Axe,
`
/** A costs more, B has another title and EAN, C is as it was, D and E are missing, F and G are new: G joins A's product. */
const BAD = `sku,cost,qty,title,ean
A,105,5,Spade,4006381333931
B,8,1,Rage,4012345678901
C,7,0,Hoe,9780201379624
F,1,1,Saw,
G,2,2,Spade too,4006381333931
`

test('after an import and its undo, offers and payloads are what they were, also across interruptions', async () => {
  const account = await createAccount(bench)
  const { accountId } = account
  await runs.bring(account, FIRST)
  // an offer that is already absent and comes back in the bad file, and one of another supplier
  await runs.bring(account, FIRST.replace('E,5,9,Axe,\n', ''))
  await giveOffers(bench, account, [offer('S', { eans: ['4006381333931'], cost: '11' })], 1)
  const before = { offers: await offersOf(database.db, accountId), payloads: await payloadsOf(database.db, accountId) }
  const bad = await runs.bring(account, `${BAD}E,4,4,Axe,\n`, { isConfirmed: true })
  expect(bad).toMatchObject({ state: 'succeeded', created: 2, changed: 3, unchanged: 1, zeroed: 1, refused: 0 })
  const { importPageRows } = LIMITS
  Object.assign(LIMITS, { importPageRows: 2 })
  const undo = await runs.undo(account, bad.runId)
  Object.assign(LIMITS, { importPageRows })
  expect(undo).toMatchObject({
    trigger: 'undo',
    state: 'succeeded',
    changed: 4,
    zeroed: 2,
    refused: 0,
    written: 6,
    total: 6,
  })
  expect(await offersOf(database.db, accountId)).toEqual(before.offers)
  await expectAudited(database.db, accountId)
  const known = new Set(before.payloads.map((row) => JSON.stringify(row)))
  const after = await payloadsOf(database.db, accountId)
  expect(after.filter((row) => known.has(JSON.stringify(row)))).toHaveLength(before.payloads.length)
  // products that the import created stay without an offer, as after the deletion of an offer
  const created = (await changesAfter(database.db, accountId, bad.runId, '', 10)).filter(
    ({ kind }) => kind === 'created',
  )
  expect(created.map(({ supplierSku }) => supplierSku)).toEqual(['F', 'G'])
  expect(await runGet(database.db, accountId, bad.runId)).toMatchObject({ undoneByRunId: undo.runId })
  // the next import compares with the restored state: only the absent offer is written
  expect(await runs.bring(account, FIRST)).toMatchObject({ created: 0, changed: 1, unchanged: 4 })
})

test('an undo and its preview continue in further pages if earlier or present values of offers are long', async () => {
  const account = await createAccount(bench)
  const { accountId } = account
  await runs.bring(account, FIRST)
  const before = await offersOf(database.db, accountId)
  const bad = await runs.bring(account, BAD, { isConfirmed: true })
  const { importPageCharacters, shelveHeavyCharacters } = LIMITS
  Object.assign(LIMITS, { importPageCharacters: 1, shelveHeavyCharacters: 1 })
  try {
    const run = { runId: bad.runId, supplierId: account.suppliers[0]!.supplierId }
    const { page, isLast } = await changesPage(database.db, accountId, run, '', 10)
    expect([page.map(({ supplierSku }) => supplierSku), isLast]).toEqual([['A'], false])
    expect(await previewUndo(database.db, accountId, bad.runId, '', 10)).toMatchObject({ lookedAt: 6, nextAfter: null })
    expect(await runs.undo(account, bad.runId)).toMatchObject({ state: 'succeeded', written: 6, total: 6 })
  } finally {
    Object.assign(LIMITS, { importPageCharacters, shelveHeavyCharacters })
  }
  expect(await offersOf(database.db, accountId)).toEqual(before)
})

test('what a page of long offers changed is compared and kept one offer after the other, with turns for others', async () => {
  const account = await createAccount(bench)
  const keys = Array.from({ length: 35 }, (_, k) => `k${k}`)
  const fields = { ...MAPPING.fields, attributes: keys.map((key) => ({ key, column: key })) }
  const offers = 10
  const content = (letter: string) => {
    const values = keys.map(() => letter.repeat(9_900)).join()
    const rows = Array.from({ length: offers }, (_, i) => `L${i},1,2,Long,,${values}\n`)
    return `sku,cost,qty,title,ean,${keys.join()}\n${rows.join('')}`
  }
  const over = { mapping: { ...MAPPING, fields }, isConfirmed: true }
  await runs.bring(account, content('a'), over)
  let turns = 0
  let next = setImmediate(function tick() {
    turns++
    next = setImmediate(tick)
  })
  const at = { stored: 0, kept: 0 }
  database.db.onStatement = (text) => {
    if (/insert into offer_content/.test(text)) at.stored = turns
    if (/insert into import_run_change/.test(text)) at.kept = turns
  }
  try {
    expect(await runs.bring(account, content('b'), over)).toMatchObject({ state: 'succeeded', changed: offers })
  } finally {
    clearImmediate(next)
    database.db.onStatement = null
  }
  expect(at.kept - at.stored).toBeGreaterThanOrEqual(offers)
})

test('what was changed since stays, and is listed', async () => {
  const account = await createAccount(bench)
  const { accountId, suppliers } = account
  await runs.bring(account, FIRST)
  const bad = await runs.bring(account, BAD, { isConfirmed: true })
  await inTransaction(database.db, (tx) =>
    writeOffers(tx, accountId, suppliers[0]!, [
      { sku: 'A', quantity: 4 },
      { sku: 'D', quantity: 2 },
      { sku: 'F', cost: '3' },
      // states the stored value, so it changes nothing
      { sku: 'C', quantity: 0 },
    ]),
  )
  const delta = await runs.bring(account, 'sku,cost\nG,9\n', { mode: 'delta' })
  expect(delta).toMatchObject({ changed: 1 })
  const undo = await runs.undo(account, bad.runId)
  expect(undo).toMatchObject({ changed: 2, zeroed: 0, refused: 4 })
  const left = await changesAfter(database.db, accountId, undo.runId, '', 10)
  expect(left.map(({ supplierSku, kind }) => `${supplierSku} ${kind}`)).toEqual([
    'A left',
    'D left',
    'F left',
    'G left',
  ])
  const costs = await database.db<{ text: string }[]>`
    select supplier_sku || ' ' || cost::float || ' ' || quantity as text from offer
    where account_id = ${accountId} and dropped_at is null order by supplier_sku`
  expect(costs.map(({ text }) => text)).toEqual(['A 105 4', 'B 8 1', 'C 7 0', 'D 6 2', 'E 5 9', 'F 3 1', 'G 9 2'])
})

test('an undo touches an offer only as the run left it, even if the same record was written since', async () => {
  const account = await createAccount(bench)
  const { accountId, suppliers } = account
  await runs.bring(account, 'sku,cost,qty\nA,5,9\nB,5,9\n')
  const run = await runs.bring(account, 'sku,qty\nA,3\nB,3\n')
  const write = (record: Parameters<typeof writeOffers>[3][number]) =>
    inTransaction(database.db, (tx) => writeOffers(tx, accountId, suppliers[0]!, [record]))
  await write({ sku: 'A', cost: '6' })
  await write({ sku: 'A', quantity: 3 })
  expect(await runs.undo(account, run.runId)).toMatchObject({ changed: 1, refused: 1 })
  const offers = await database.db`
    select supplier_sku as sku, cost::float, quantity from offer where account_id = ${accountId} order by 1`
  expect(offers).toEqual([
    { sku: 'A', cost: 6, quantity: 3 },
    { sku: 'B', cost: 5, quantity: 9 },
  ])
})

test('an undo compares values: writes that changed nothing do not exclude an offer, and the preview lists what it would leave', async () => {
  const account = await createAccount(bench)
  const { accountId, suppliers } = account
  await runs.bring(account, FIRST)
  const before = await offersOf(database.db, accountId)
  const bad = await runs.bring(account, `${BAD}H,1,1,Fork,\n`, { isConfirmed: true })
  await inTransaction(database.db, (tx) =>
    writeOffers(tx, accountId, suppliers[0]!, [
      // an empty PATCH, a PUT of the same values, one of an offer that was set to 0, and the value from before the run
      { sku: 'A' },
      { sku: 'F', cost: '1.00', quantity: 1, texts: { en: { title: 'Saw' } } },
      { sku: 'D', quantity: 0 },
      { sku: 'E', quantity: 9 },
      { sku: 'H', quantity: 7 },
    ]),
  )
  const delta = await runs.bring(account, 'sku,cost\nA,105\nB,8\nG,9\n', { mode: 'delta' })
  expect(delta).toMatchObject({ changed: 1, unchanged: 2 })
  const preview = await previewUndo(database.db, accountId, bad.runId, '', 100)
  expect(preview).toMatchObject({ lookedAt: 7, restored: 3, dropped: 1, asBefore: 1, nextAfter: null })
  expect(preview.left).toMatchObject([
    {
      supplierSku: 'G',
      kind: 'created',
      reason: 'changed',
      changedByRunId: delta.runId,
      before: null,
      now: { cost: '9' },
    },
    { supplierSku: 'H', kind: 'created', reason: 'changed', changedByRunId: null, now: { quantity: 7 } },
  ])
  // the same result page by page
  const { importPageRows } = LIMITS
  Object.assign(LIMITS, { importPageRows: 2 })
  const left: string[] = []
  let lookedAt = 0
  for (let after: string | null = ''; after !== null;) {
    const page: UndoPreview = await previewUndo(database.db, accountId, bad.runId, after, 1)
    left.push(...page.left.map(({ supplierSku }) => supplierSku))
    lookedAt += page.lookedAt
    after = page.nextAfter
  }
  Object.assign(LIMITS, { importPageRows })
  expect([left, lookedAt]).toEqual([['G', 'H'], 7])
  const undo = await runs.undo(account, bad.runId)
  expect(undo).toMatchObject({ changed: 3, zeroed: 1, unchanged: 1, refused: 2, isConfirmed: false })
  const kept = (await offersOf(database.db, accountId)) as { offer: [number, string] }[]
  const isOld = ({ offer: [, sku] }: (typeof kept)[number]) => 'ABCD'.includes(sku)
  expect(kept.filter(isOld)).toEqual((before as typeof kept).filter(isOld))
  expect(kept.map(({ offer: [, sku] }) => sku).join('')).toBe('ABCDEGH')
})

test('a forced undo also restores offers that were changed since; deleted ones stay deleted', async () => {
  const account = await createAccount(bench)
  const { accountId, suppliers } = account
  await runs.bring(account, FIRST)
  const before = await offersOf(database.db, accountId)
  const bad = await runs.bring(account, BAD, { isConfirmed: true })
  await inTransaction(database.db, async (tx) => {
    await writeOffers(tx, accountId, suppliers[0]!, [
      { sku: 'A', quantity: 4 },
      { sku: 'D', quantity: 2, cost: '1' },
      { sku: 'F', cost: '3' },
    ])
    await deleteOffer(tx, accountId, suppliers[0]!.supplierId, 'B')
  })
  const preview = await previewUndo(database.db, accountId, bad.runId, '', 100)
  expect(preview.left.map(({ supplierSku, reason, now }) => [supplierSku, reason, now === null])).toEqual([
    ['A', 'changed', false],
    ['B', 'deleted', true],
    ['D', 'changed', false],
    ['F', 'changed', false],
  ])
  const undo = await runs.undo(account, bad.runId, true)
  expect(undo).toMatchObject({ changed: 3, zeroed: 2, refused: 1, isConfirmed: true })
  const listed = await changesAfter(database.db, accountId, undo.runId, '', 10)
  expect(listed.map(({ supplierSku, kind }) => `${supplierSku} ${kind}`)).toEqual(['B left'])
  const without = (rows: unknown[]) => rows.filter((row) => (row as { offer: unknown[] }).offer[1] !== 'B')
  expect(without(await offersOf(database.db, accountId))).toEqual(without(before))
  await expectAudited(database.db, accountId)
})

test('a run of a release before, whose hashes are of the last record, too, is undone as well', async () => {
  const account = await createAccount(bench)
  const { accountId } = account
  await runs.bring(account, FIRST)
  const before = await offersOf(database.db, accountId)
  const bad = await runs.bring(account, 'sku,cost,qty\nA,105,5\nB,9,1\nC,8,0\nD,7,3\nE,6,9\n')
  // in the form that the earlier release wrote
  const rows = await offersOf(database.db, accountId)
  for (const { offer: row } of rows as { offer: unknown[] }[]) {
    const [, sku, , cost, currency, quantity, feedHash, , manufacturer, category, texts, , images, eans] = row
    const { title } = (texts as { en: { title: string } }).en
    const content = JSON.stringify([manufacturer, category, [['en', title, null]], [], images])
    const text = JSON.stringify([String(cost), currency, quantity, content, eans ?? [], feedHash])
    const taken = hash('sha256', text, 'base64url').slice(0, 22)
    await database.db`
      update import_run_change set after_hash = ${taken}
      where account_id = ${accountId} and run_id = ${bad.runId} and supplier_sku = ${String(sku)}`
  }
  expect(await runs.undo(account, bad.runId)).toMatchObject({ changed: 5, refused: 0 })
  expect(await offersOf(database.db, accountId)).toEqual(before)
})

test('only the last full run that wrote can be undone, and once', async () => {
  const account = await createAccount(bench)
  const { accountId } = account
  const undo = (runId: number) => inTransaction(database.db, (tx) => undoRun(tx, accountId, runId))
  const first = await runs.bring(account, FIRST)
  const second = await runs.bring(account, BAD, { isConfirmed: true })
  const delta = await runs.bring(account, 'sku,cost\nA,9\n', { mode: 'delta' })
  const dry = await runs.bring(account, FIRST, { isDryRun: true })
  const same = await runs.bring(account, 'this is <no> CSV\u0000')
  expect(same.state).toBe('refused')
  await expect(undo(first.runId)).rejects.toThrow(`run ${second.runId} is a newer full run`)
  await expect(undo(delta.runId)).rejects.toThrow('only full runs')
  await expect(undo(dry.runId)).rejects.toThrow('it has written nothing')
  await expect(undo(same.runId)).rejects.toThrow('it has written nothing')
  await expect(undo(999_999)).rejects.toMatchObject({ code: 'unknown-run' })
  // an undo that was canceled before it began can be requested again
  const canceled = await undo(second.runId)
  await expect(undo(second.runId)).rejects.toThrow(`run ${canceled} undoes it`)
  await inTransaction(database.db, (tx) => cancelRun(tx, accountId, canceled))
  expect(await runs.undo(account, second.runId)).toMatchObject({ state: 'succeeded' })
  await expect(undo(second.runId)).rejects.toThrow('undoes it')
  // after that the run before it is the last one, and can be undone
  expect(await runs.undo(account, first.runId)).toMatchObject({ state: 'succeeded', zeroed: 4 })
})
