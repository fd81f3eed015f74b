import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { setOwnStock } from '../../src/catalog/products/products.ts'
import { writeOffers } from '../../src/catalog/products/offers/offers.ts'
import { openDb } from '../../src/db/open-db.ts'
import { inTransaction } from '../../src/db/sql.ts'
import { accountTablesList } from '../../src/erasure/account-tables.sql.ts'
import { deletionOrder } from '../../src/erasure/deletion-order.ts'
import { erasing, type ErasureContext } from '../../src/erasure/erase.ts'
import { erasureGet } from '../../src/erasure/erasures.sql.ts'
import { startErasing } from '../../src/erasure/loop.ts'
import { requestErasure } from '../../src/erasure/request.ts'
import { openDiskStore } from '../../src/images/store/disk-store.ts'
import { openRunFiles } from '../../src/imports/files/open-run-files.ts'
import { openDiskObjects } from '../../src/objects/disk-objects.ts'
import { openUnfinished } from '../../src/objects/unfinished.ts'
import { makeInvitation } from '../../src/people/links.ts'
import { silentLog } from '../../src/platform/log.ts'
import { editAccount } from '../../src/shelf/account.ts'
import { createAccount, giveOffers, offer, type TestAccount } from '../harness/account.ts'
import { openCommands } from '../harness/command.ts'
import { pictureOf, recordAs, turnMirrorOn } from '../harness/images.ts'
import { hold, openNamed, until } from '../harness/interleave.ts'
import { client, startTestService, tokenFor, type TestService } from '../harness/service.ts'
import { directoryOfFile, worldOfFile } from '../harness/world.ts'
import { fileOf } from '../images/pictures.ts'
import { isSignedIn, makeMember, makePerson, PASSWORD, openBrowser, signedIn } from '../panel/browser.ts'
import { bytesOf, eraseAll, makeDue, rowsOf, tablesWith } from './erasures.ts'

const directory = directoryOfFile('erasure')
const { database, bench } = worldOfFile()
const commands = openCommands(database, directory)
let context: ErasureContext
let service: TestService
let account: TestAccount
let witness: TestAccount
let number = 0

beforeAll(async () => {
  context = {
    db: database.db,
    imageStore: openDiskStore(join(directory, 'images')),
    files: openRunFiles(
      openDiskObjects(join(directory, 'imports')),
      '',
      openUnfinished(join(directory, 'import-files')),
    ),
  }
  service = await startTestService(database, { env: { DATA_DIR: directory } })
})
afterAll(() => service[Symbol.asyncDispose]())
beforeEach(async () => {
  number += 1
  account = await createAccount(bench, `Leaving ${number}`)
  witness = await createAccount(bench, `Staying ${number}`)
})

/** On a cluster each of sixty tables is queried several times over the network. */
const LONG = { timeout: 240_000 }
const named = (text: string) => `${text}${number}`
const hashOf = (content: string) => (pictureOf(content) as { hash: string }).hash
const isStored = async (content: string) => (await context.imageStore.stat(hashOf(content))) !== undefined
const erasureOf = async ({ accountId }: TestAccount) => (await erasureGet(database.db, accountId))!
const filesOf = ({ accountId }: TestAccount) => collected(context.files.listOf(accountId))
async function collected(keys: AsyncIterable<string>): Promise<string[]> {
  const all: string[] = []
  for await (const key of keys) all.push(key)
  return all
}
/** Asks for an erasure that is due now. */
const ask = async ({ accountId }: TestAccount, erasesPeople = false) => {
  await inTransaction(database.db, (tx) => requestErasure(tx, accountId, { days: 0, reference: null, erasesPeople }))
  await makeDue(database.db, accountId)
}

/** Gives an account products, pictures, a file, tokens, people and links. */
async function fill(of: TestAccount, pictures: readonly string[]): Promise<number[]> {
  const { accountId } = of
  await turnMirrorOn(database.db, accountId)
  const url = (content: string) => `https://images.example.com/${content}.png`
  const ids = await giveOffers(
    bench,
    of,
    ['A', 'B', 'C'].map((sku) => offer(sku, { images: pictures.map(url) })),
  )
  for (const content of pictures) {
    await context.imageStore.put(hashOf(content), fileOf(directory, 'file', content), 'image/png')
    await inTransaction(database.db, (tx) => recordAs(tx, accountId, url(content), pictureOf(content)))
  }
  await bench.shelf.write(accountId, (tx) =>
    setOwnStock(tx, accountId, [{ productId: ids[0]!, quantity: 3, cost: null }]),
  )
  await bench.shelf.drain(accountId)
  await context.files.keep(
    accountId,
    (async function* () {
      yield Buffer.from('sku,cost\nA,1\n')
    })(),
    'a.csv',
  )
  return ids
}

describe('an account that is erased', () => {
  test(
    'leaves nothing in any table, no picture that others do not use and no file; another account stays byte for byte',
    LONG,
    async () => {
      await fill(account, [named('own'), named('shared')])
      await fill(witness, [named('shared')])
      const email = named('gone') + '@example.com'
      const personId = await makePerson(database.db, email)
      await makeMember(database.db, account.accountId, personId, email, 'owner')
      await inTransaction(database.db, (tx) =>
        makeInvitation(tx, account.accountId, { email: 'friend@marker.example', role: 'member', createdBy: personId }),
      )
      const token = await tokenFor(service.runtime, account.accountId, 'full')
      const http = client(service.url, token)
      expect((await http('/v1/account')).status).toBe(200)
      // the service notes by itself when a token was used
      await until('its use is noted', async () => 'token_use' in (await rowsOf(database.db, account.accountId)))
      await until('it is logged', async () => 'token_request' in (await rowsOf(database.db, account.accountId)))
      const before = await rowsOf(database.db, account.accountId)
      const other = await bytesOf(database.db, witness.accountId)

      const counted = await commands.json(['account', 'erase', String(account.accountId)])
      expect(counted).toMatchObject({ account_id: account.accountId, state: 'counted', files: 1, rows: before })
      expect(await rowsOf(database.db, account.accountId)).toEqual(before)
      expect(await commands.refusal(['account', 'erase', String(account.accountId), '--confirm', 'Other'])).toContain(
        `--confirm must be the name of account ${account.accountId}`,
      )

      const receipt = await commands.json([
        'account',
        'erase',
        String(account.accountId),
        '--confirm',
        named('Leaving '),
        '--reference',
        'ticket 4711',
      ])
      expect(receipt).toMatchObject({ state: 'erased', reference: 'ticket 4711', pictures: 1, files: 1, people: 0 })
      // not compared as a whole: tables that the service writes by itself may have gained or lost rows by then
      expect(receipt.rows).toMatchObject({ account: 1, product: 3, store: 3, member: 1, token: 1, one_time_link: 1 })
      expect(Object.keys(receipt.rows)).toEqual(expect.arrayContaining(Object.keys(before)))
      expect(await rowsOf(database.db, account.accountId)).toEqual({})
      expect(await tablesWith(database.db, named('Leaving '))).toEqual([])
      expect(await tablesWith(database.db, 'friend@marker.example')).toEqual([])
      expect([await isStored(named('own')), await isStored(named('shared'))]).toEqual([false, true])
      expect([await filesOf(account), (await filesOf(witness)).length]).toEqual([[], 1])
      expect(await bytesOf(database.db, witness.accountId)).toEqual(other)
      await until('its token is unknown', async () => (await http('/v1/products')).status === 401)
      // the sign-in stays valid, but belongs to no account
      const browser = await signedIn(database.db, service.url, personId)
      expect((await browser.get('/panel/api/session')).body.data.accounts).toEqual([])
      expect(await commands.refusal(['account', 'erase', String(account.accountId)])).toContain('was erased at')
      const { erasures } = await commands.json('account erasures')
      expect(erasures).toContainEqual(receipt)
      expect(JSON.stringify(receipt)).not.toContain('Leaving')
    },
  )

  test('takes people along who are members of nothing else, where that is asked for', LONG, async () => {
    const [only, both] = [named('only') + '@example.com', named('both') + '@example.com']
    const onlyId = await makePerson(database.db, only)
    const bothId = await makePerson(database.db, both)
    await makeMember(database.db, account.accountId, onlyId, only, 'owner')
    await makeMember(database.db, account.accountId, bothId, both, 'member')
    await makeMember(database.db, witness.accountId, bothId, both, 'owner')
    const browsers = [
      await signedIn(database.db, service.url, onlyId),
      await signedIn(database.db, service.url, bothId),
    ] as const
    await ask(account, true)
    await eraseAll(context, account.accountId)
    expect((await erasureOf(account)).people).toBe(1)
    expect(await tablesWith(database.db, only)).toEqual([])
    expect(await Promise.all(browsers.map(isSignedIn))).toEqual([false, true])
    const stranger = openBrowser(service.url)
    expect((await stranger.post('/panel/api/sign-in', { email: only, password: PASSWORD })).status).toBe(401)
  })

  test('waits for its time, can be taken back until then, and does not go on while it waits', LONG, async () => {
    const id = String(account.accountId)
    const waiting = await commands.json(['account', 'erase', id, '--confirm', named('Leaving '), '--after', '30'])
    expect(waiting).toMatchObject({ state: 'waiting', started_at: null })
    expect(Date.parse(waiting.due_at) - Date.now()).toBeGreaterThan(29 * 86_400_000)
    expect(await eraseAll(context, account.accountId)).toBe(false)
    expect(await commands.refusal(['account', 'resume', id])).toContain(`account erase ${id} --cancel`)
    expect((await commands.run('account list')).out).toMatch(new RegExp(`^${id}\t.*\tsuspended$`, 'm'))
    expect(await commands.json(['account', 'erase', id, '--cancel'])).toEqual({
      account_id: account.accountId,
      state: 'suspended',
    })
    expect(await commands.refusal(['account', 'erase', id, '--cancel'])).toContain('is not to be erased')
    expect(await commands.json(['account', 'resume', id])).toMatchObject({ state: 'active' })
    await giveOffers(bench, account, [offer('A')])
    await ask(account)
    const work = erasing(context, account.accountId)
    await work.next()
    expect(await commands.refusal(['account', 'erase', id, '--cancel'])).toContain('cannot be taken back')
    await work.return(false)
    // the next process continues an erasure whose process stopped here
    expect(await eraseAll(context, account.accountId)).toBe(true)
    expect(await rowsOf(database.db, account.accountId)).toEqual({})
  })
})

describe('tables', () => {
  test('are found in the catalog: every table with account_id is in the order, behind all that refer to it', async () => {
    const tables = await database.db<{ name: string }[]>`
      select table_name as name from information_schema.columns
      where table_schema = current_schema() and column_name = 'account_id' order by table_name`
    const order = deletionOrder(await accountTablesList(database.db))
    expect(order.map(({ name }) => name).sort()).toEqual(tables.map(({ name }) => name).sort())
    const place = new Map(order.map(({ name }, i) => [name, i]))
    const keys = await database.db<{ from: string; to: string }[]>`
      select conrelid::regclass::text as from, confrelid::regclass::text as to from pg_constraint
      where contype = 'f' and connamespace = current_schema()::regnamespace and conrelid <> confrelid`
    const both = keys.filter(({ from, to }) => place.has(from) && place.has(to))
    expect(both.length).toBeGreaterThan(20)
    expect(both.filter(({ from, to }) => place.get(from)! > place.get(to)!)).toEqual([])
    // rows are deleted in batches by primary key: a table without a key would be read only once
    const single = order.filter(({ key }) => key.length === 0).map(({ name }) => name)
    expect(single).toContain('account_inputs')
    const primary = await database.db<{ name: string; columns: number }[]>`
      select indrelid::regclass::text as name, indnkeyatts::int as columns from pg_index where indisprimary`
    for (const name of single) expect(primary.find((row) => row.name === name)?.columns, name).toBe(1)
  })

  test('that a later migration adds are erased as well, whatever their keys are made of', LONG, async () => {
    const { db } = database
    const ids = await giveOffers(bench, account, [offer('A')])
    await db.unsafe(`create table later_note (account_id bigint not null, "Odd ""name" text collate "C" not null, at timestamptz not null,
      hash bytea not null, day date not null, product_id bigint not null,
      primary key (account_id, "Odd ""name", at, hash, day),
      foreign key (account_id, product_id) references product (account_id, product_id))`)
    try {
      for (const accountId of [account.accountId, witness.accountId]) {
        const productId =
          accountId === account.accountId ? ids[0]! : (await giveOffers(bench, witness, [offer('A')]))[0]!
        await db`
          insert into later_note select ${accountId}, chr(64 + n % 50) || n, now() + make_interval(secs => n / 3.0),
            sha256(n::text::bytea), '2026-01-01'::date + n, ${productId} from generate_series(1, 4500) n`
      }
      await ask(account)
      await eraseAll(context, account.accountId)
      expect((await erasureOf(account)).rows['later_note']).toBe(4_500)
      expect(await rowsOf(db, account.accountId)).toEqual({})
      expect((await rowsOf(db, witness.accountId))['later_note']).toBe(4_500)
    } finally {
      await db`drop table later_note`
    }
  })
})

describe('at the same moment', () => {
  test(
    'writers that know nothing of it write until nothing is left to write to, two processes erase, and nothing stays',
    LONG,
    async () => {
      const { accountId, suppliers } = account
      const ids = await giveOffers(
        bench,
        account,
        Array.from({ length: 100 }, (_, i) => offer(`S${i}`)),
      )
      const other = await bytesOf(database.db, witness.accountId)
      const before = await rowsOf(database.db, accountId)
      await ask(account)
      const state = { isErased: false, written: 0, writtenMeanwhile: 0, hasBegun: false }
      const writer = async (write: (round: number) => Promise<unknown>) => {
        const failed = { times: 0 }
        for (let round = 0; !state.isErased && failed.times < 30; round++)
          await write(round).then(
            () => {
              state.written += 1
              if (state.hasBegun) state.writtenMeanwhile += 1
            },
            () => (failed.times += 1),
          )
      }
      const writers = [
        writer((round) =>
          bench.shelf.write(accountId, (tx) =>
            writeOffers(tx, accountId, suppliers[0]!, [
              offer(`N${round}`),
              offer(`S${round % 100}`, { cost: `${round + 1}` }),
            ]),
          ),
        ),
        writer((round) =>
          bench.shelf.write(accountId, (tx) =>
            setOwnStock(tx, accountId, [{ productId: ids[round % 100]!, quantity: round, cost: null }]),
          ),
        ),
        writer((round) =>
          bench.shelf.write(accountId, (tx) => editAccount(tx, accountId, { skuPattern: `${round}-{supplier_sku}` })),
        ),
        writer(() => bench.shelf.drain(accountId)),
        writer((round) =>
          inTransaction(database.db, (tx) =>
            makeInvitation(tx, accountId, {
              email: `late${round}@${named('late')}.example`,
              role: 'member',
              createdBy: null,
            }),
          ),
        ),
      ]
      await until('all of them write', async () => state.written > 20)
      state.hasBegun = true
      const second = openDb({ url: database.url, connectionsMax: 3 })
      try {
        await expect(
          Promise.all([eraseAll(context, accountId), eraseAll({ ...context, db: second }, accountId)]),
        ).resolves.toHaveLength(2)
      } finally {
        state.isErased = true
        await Promise.all(writers)
        await second.end({ timeout: 5 })
      }
      expect(state.writtenMeanwhile).toBeGreaterThan(0)
      expect(await rowsOf(database.db, accountId)).toEqual({})
      expect(await tablesWith(database.db, `${named('late')}.example`)).toEqual([])
      expect(await bytesOf(database.db, witness.accountId)).toEqual(other)
      const { rows } = await erasureOf(account)
      expect(rows['account']).toBe(1)
      for (const [table, count] of Object.entries(before))
        // workers settle marks and rewrite payloads meanwhile; tables that only grow must have each row counted at least once
        if (['product', 'offer', 'store', 'supplier'].includes(table))
          expect(rows[table], table).toBeGreaterThanOrEqual(count)
    },
  )

  test('a transaction that has written and not committed is waited for', async () => {
    const { accountId, suppliers } = account
    await giveOffers(bench, account, [offer('A')])
    await ask(account)
    await using eraser = openNamed(database)
    await using writing = await hold(database.db, (tx) =>
      writeOffers(tx, accountId, suppliers[0]!, [offer('A', { cost: '77' }), offer('Z')]),
    )
    const erased = eraseAll({ ...context, db: eraser.db }, accountId)
    expect(await eraser.fate(erased)).toBe('blocked')
    await writing.commit()
    expect(await erased).toBe(true)
    expect(await rowsOf(database.db, accountId)).toEqual({})
  })

  test('what comes into a table without keys behind it all is found by the last look, which the loop of the service takes', async () => {
    const { db } = database
    await ask(account)
    const loop = startErasing(context, silentLog)
    try {
      await until('it is erased', async () => (await erasureOf(account)).finishedAt !== null)
      await db`insert into mark (account_id, product_id) values (${account.accountId}, 1)`
      expect((await erasureOf(account)).checkedAt).toBe(null)
      await db`
        update account_erasure set finished_at = now() - make_interval(mins => 11) where erased_account_id = ${account.accountId}`
      loop.poke()
      await until('it is checked', async () => (await erasureOf(account)).checkedAt !== null)
      expect(await rowsOf(db, account.accountId)).toEqual({})
    } finally {
      await loop.stop()
    }
  })
})
