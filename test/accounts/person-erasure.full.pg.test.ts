import { beforeEach, afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createMember } from '../../src/accounts/members.ts'
import { inTransaction } from '../../src/db/sql.ts'
import { erasePerson } from '../../src/erasure/person.ts'
import { requestErasure } from '../../src/erasure/request.ts'
import { viewPut } from '../../src/overview/product-views.sql.ts'
import { auditInsert } from '../../src/people/audit.sql.ts'
import { makeInvitation } from '../../src/people/links.ts'
import { createAccount, type TestAccount } from '../harness/account.ts'
import { openCommands } from '../harness/command.ts'
import { startTestService, type TestService } from '../harness/service.ts'
import { directoryOfFile, worldOfFile } from '../harness/world.ts'
import { isSignedIn, makeMember, makePerson, openBrowser, PASSWORD, signedIn } from '../panel/browser.ts'
import { bytesOf, tablesWith } from './erasures.ts'

const directory = directoryOfFile('person-erasure')
const { database, bench } = worldOfFile()
const commands = openCommands(database, directory)
let service: TestService
let account: TestAccount
let other: TestAccount
let number = 0
let email = ''
let personId = 0

beforeAll(async () => {
  service = await startTestService(database, { env: { DATA_DIR: directory } })
})
afterAll(() => service[Symbol.asyncDispose]())
beforeEach(async () => {
  number += 1
  account = await createAccount(bench, `People ${number}`)
  other = await createAccount(bench, `Others ${number}`)
  email = `Ann.${number}+shop@gone.example`
  personId = await makePerson(database.db, email, `Ann Gone${number}`)
  await makeMember(database.db, account.accountId, personId, email, 'owner')
})

const LONG = { timeout: 240_000 }
const from = { address: '203.0.113.77', userAgent: `Browser of Gone${number}` }

/** Somebody else who owns an account. */
async function secondOwner(of: TestAccount): Promise<number> {
  const address = `bob${number}@stays.example`
  const id = await makePerson(database.db, address, 'Bob Stays')
  await makeMember(database.db, of.accountId, id, address, 'owner')
  return id
}

const note = (of: TestAccount, by: number | null, actor: string, details: Record<string, unknown> = {}) =>
  inTransaction(database.db, (tx) =>
    auditInsert(
      tx,
      of.accountId,
      { personId: by, name: actor, ...from },
      { action: 'editMember', target: '/members', details },
    ),
  )

const entriesOf = ({ accountId }: TestAccount) => database.db<
  { personId: number | null; actor: string; address: string; userAgent: string; details: Record<string, unknown> }[]
>`select person_id as "personId", actor, address, user_agent as "userAgent", details from audit_entry
  where account_id = ${accountId} order by entry_id`

describe('a person who is erased', () => {
  test(
    'leaves a mark in the logs of all accounts, and nothing else anywhere; others stay byte for byte',
    LONG,
    async () => {
      const { db } = database
      const bob = await secondOwner(account)
      const witness = await createAccount(bench, `Witness ${number}`)
      await makeMember(db, witness.accountId, bob, `bob${number}@stays.example`, 'owner')
      await note(witness, bob, 'Bob Stays <bob@stays.example>', { email: `x${email}`, note: `${email}.uk` })
      const browser = await signedIn(db, service.url, personId)
      await inTransaction(db, async (tx) => {
        await makeInvitation(tx, account.accountId, {
          email: 'friend@gone.example',
          role: 'member',
          createdBy: personId,
        })
        await makeInvitation(tx, other.accountId, { email: email.toUpperCase(), role: 'member', createdBy: null })
        // a member who gets notices by mail and never signed in
        await createMember(tx, other.accountId, { email: email.toLowerCase(), role: 'member' })
        await viewPut(tx, account.accountId, personId, { name: 'Mine', address: '?' })
        // of an account that the person has left
        await viewPut(tx, other.accountId, personId, { name: 'Mine', address: '?' })
      })
      await note(account, personId, `Ann Gone${number} <${email}>`, { name: 'Shirts' })
      await note(other, personId, `Ann Gone${number} <old${number}@gone.example>`)
      await note(account, bob, 'Bob Stays <bob@stays.example>', { email: email.toLowerCase(), role: 'owner' })
      const before = await bytesOf(db, witness.accountId)

      const counted = await commands.json(['person', 'erase', email])
      expect(counted).toMatchObject({ state: 'counted', sign_ins: 1, memberships: 2, sessions: 1, last_owner_of: [] })
      expect(await isSignedIn(browser)).toBe(true)
      expect(await commands.refusal(['person', 'erase', email, '--confirm', 'bob@stays.example'])).toContain(
        '--confirm',
      )

      const receipt = await commands.json(['person', 'erase', email, '--confirm', email, '--reference', 'Request 9'])
      expect(receipt).toMatchObject({
        state: 'erased',
        reference: 'Request 9',
        sign_ins: 1,
        memberships: 2,
        sessions: 1,
        links: 1,
        views: 2,
        audit_entries: 3,
      })
      expect(JSON.stringify(receipt).toLowerCase()).not.toContain('gone')
      expect(await isSignedIn(browser)).toBe(false)
      const stranger = openBrowser(service.url)
      expect((await stranger.post('/panel/api/sign-in', { email, password: PASSWORD })).status).toBe(401)
      for (const trace of [`Gone${number}`, `old${number}@gone.example`, 'friend@gone.example'])
        expect(await tablesWith(db, trace), trace).toEqual([])
      // an entry in which the address is only part of a longer one is another person's
      expect(await tablesWith(db, email)).toEqual(['audit_entry'])
      expect(await bytesOf(db, witness.accountId)).toEqual(before)
      const mark = { personId, actor: 'erased person', address: '', userAgent: '' }
      expect(await entriesOf(account)).toEqual([
        { ...mark, details: { name: 'Shirts' } },
        expect.objectContaining({ personId: bob, details: { email: 'erased person', role: 'owner' } }),
      ])
      expect(await entriesOf(other)).toEqual([{ ...mark, details: {} }])
      expect(await commands.refusal(['person', 'erase', email, '--confirm', email])).toContain('nothing is kept')
    },
  )

  test('is refused while an account would have no owner, unless that is to be erased, too', LONG, async () => {
    const { db } = database
    expect(await commands.json(['person', 'erase', email])).toMatchObject({
      last_owner_of: [{ account_id: account.accountId, name: `People ${number}` }],
    })
    await note(account, personId, `Ann Gone${number} <${email}>`)
    const refusal = await commands.refusal(['person', 'erase', email, '--confirm', email])
    expect(refusal).toContain(`the last owner who can sign in of account ${account.accountId} "People ${number}"`)
    expect((await entriesOf(account))[0]!.actor).toContain(email)
    // an owner without a sign-in does not count as the second owner
    await inTransaction(db, (tx) =>
      createMember(tx, account.accountId, { email: `mail${number}@stays.example`, role: 'owner' }),
    )
    await expect(erasePerson(db, email, () => {}, 0)).rejects.toThrow('last owner')
    await inTransaction(db, (tx) =>
      requestErasure(tx, account.accountId, { days: 30, reference: null, erasesPeople: false }),
    )
    expect(await erasePerson(db, email, () => {}, 0)).toMatchObject({ signIns: 1, memberships: 1, auditEntries: 1 })
    expect(await tablesWith(db, email)).toEqual([])
  })

  test(
    'what is written while the person is erased, or was left by an erasure that was killed, is found',
    LONG,
    async () => {
      const { db } = database
      await secondOwner(account)
      const [accounts] = await db<{ count: number }[]>`select count(*)::int as count from account`
      const writing: Promise<unknown>[] = []
      let step = 0
      await erasePerson(
        db,
        email,
        () => {
          step += 1
          // after the last account was cleaned, and before the person is deleted
          if (step === accounts!.count) writing.push(note(account, personId, `Ann Gone${number} <${email}>`))
        },
        0.5,
      )
      await Promise.all(writing)
      expect(writing).toHaveLength(1)
      expect(await tablesWith(db, email)).toEqual([])
      // the person is already deleted
      await note(account, personId, `Ann Gone${number} <${email.toLowerCase()}>`)
      expect(await erasePerson(db, email, () => {}, 0)).toMatchObject({ signIns: 0, auditEntries: 1 })
      expect(await tablesWith(db, email.toLowerCase())).toEqual([])
    },
  )
})
