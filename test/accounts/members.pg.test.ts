import { BUDGETS } from '../../contract/account-limits.ts'
import { beforeEach, describe, expect, test } from 'vitest'
import { membersList } from '../../src/accounts/members.sql.ts'
import { createMember } from '../../src/accounts/members.ts'
import { inTransaction } from '../../src/db/sql.ts'
import { dropMember } from '../../src/people/members.ts'
import { createAccount, type TestAccount } from '../harness/account.ts'
import { openCommands } from '../harness/command.ts'
import { hold, openNamed } from '../harness/interleave.ts'
import { directoryOfFile, worldOfFile } from '../harness/world.ts'

const directory = directoryOfFile('members')
const { database, bench } = worldOfFile()
const commands = openCommands(database, directory)
let account: TestAccount
beforeEach(async () => {
  account = await createAccount(bench)
})

const create = (email: string, role = 'owner', of = account) =>
  inTransaction(database.db, (tx) => createMember(tx, of.accountId, { email, role }))
const emails = async (of = account) => (await membersList(database.db, of.accountId)).map((row) => row.email)

describe('members', () => {
  test.for([
    '',
    'anna',
    '@example.com',
    'anna@',
    'a@b@c',
    'a b@example.com',
    ' anna@example.com',
    'anna@example.com\n',
    'anna@example.com\r\nBcc: eve@example.com',
    'anna@example.com,eve@example.com',
    'anna@example.com;eve@example.com',
    'Anna<anna@example.com>',
    'team:anna@example.com;',
    '"a"@example.com',
    'anna@example.com\0',
    'anna\u{85}@example.com',
    'anna\u{2028}@example.com',
    'anna\u{200b}@example.com',
    'anna\u{202e}@example.com',
    'anna\u{d800}@example.com',
    `${'a'.repeat(65)}@example.com`,
    `a@${'b'.repeat(253)}`,
  ])('%j is refused as an e-mail address', async (email) => {
    await expect(create(email)).rejects.toMatchObject({ code: 'invalid-input', faults: [{ name: 'email' }] })
    expect(await emails()).toEqual([])
  })

  test.for([
    'a@b',
    'anna+shelf@example.com',
    'żółw@żółw.example',
    "o'neil@example.com",
    `${'a'.repeat(64)}@${'b'.repeat(189)}`,
  ])('%j is accepted as an e-mail address', async (email) => {
    const memberId = await create(email, 'member')
    expect([...(await membersList(database.db, account.accountId))]).toEqual([
      { memberId, email, role: 'member', createdAt: expect.any(Date), personId: null },
    ])
  })

  test('an address is unique within an account, ignoring letter case; another account may have it too', async () => {
    await create('Anna@Example.com')
    await expect(create('anna@example.COM', 'member')).rejects.toMatchObject({ code: 'conflict' })
    const other = await createAccount(bench)
    await create('anna@example.com', 'owner', other)
    expect(await emails()).toEqual(['Anna@Example.com'])
    expect(await emails(other)).toEqual(['anna@example.com'])
  })

  test('roles are owner and member', async () => {
    await expect(create('anna@example.com', 'boss')).rejects.toMatchObject({
      code: 'invalid-input',
      faults: [{ name: 'role' }],
    })
  })

  test('the maximum is enforced, also for two concurrent requests', async () => {
    const { accountId } = account
    await database.db`
      insert into member (account_id, email, role) select ${accountId}, 'm' || n || '@example.com', 'member' from generate_series(1, ${BUDGETS.members.default - 1}) n`
    await using first = await hold(database.db, (tx) =>
      createMember(tx, accountId, { email: 'first@example.com', role: 'owner' }),
    )
    await using named = openNamed(database)
    const second = inTransaction(named.db, (tx) =>
      createMember(tx, accountId, { email: 'second@example.com', role: 'owner' }),
    )
    second.catch(() => {})
    expect(await named.fate(second)).toBe('blocked')
    await first.commit()
    await expect(second).rejects.toMatchObject({
      code: 'quota-exceeded',
      message: expect.stringContaining('100 of 100'),
    })
    expect(await emails()).toHaveLength(BUDGETS.members.default)
  })

  test('only its own account can delete a member', async () => {
    const memberId = await create('anna@example.com')
    const other = await createAccount(bench)
    const remove = (of: TestAccount) => inTransaction(database.db, (tx) => dropMember(tx, of.accountId, memberId))
    await expect(remove(other)).rejects.toMatchObject({ code: 'unknown-reference' })
    await remove(account)
    expect(await emails()).toEqual([])
    await expect(remove(account)).rejects.toMatchObject({ code: 'unknown-reference' })
    await create('anna@example.com')
  })

  test('cannot be added to an account that does not exist', async () => {
    await expect(
      inTransaction(database.db, (tx) => createMember(tx, 999_999, { email: 'a@b', role: 'owner' })),
    ).rejects.toMatchObject({ code: 'unknown-account' })
  })
})

describe('the commands', { timeout: 120_000 }, () => {
  test('member create, list and delete', async () => {
    const of = `--account ${account.accountId}`
    const made = await commands.json(`member create ${of} --email anna@example.com`)
    expect(made).toEqual({
      member_id: expect.any(Number),
      email: 'anna@example.com',
      role: 'owner',
      link: expect.stringMatching(/^http:\/\/127\.0\.0\.1:8080\/panel\/link#swl_[\w-]{43}$/),
    })
    expect(await commands.run(`member create ${of} --email bert@example.com --role member`)).toMatchObject({
      code: 0,
      err: '',
      out: expect.stringContaining('bert@example.com'),
    })
    const { members } = await commands.json(`member list ${of}`)
    expect(members).toEqual([
      {
        member_id: made.member_id,
        email: 'anna@example.com',
        role: 'owner',
        created_at: expect.stringMatching(/^20/),
        person_id: null,
      },
      expect.objectContaining({ email: 'bert@example.com', role: 'member' }),
    ])
    expect((await commands.run(`member list ${of}`)).out).toContain(`${made.member_id}\towner\tanna@example.com\n`)
    expect(await commands.refusal(`member create ${of} --email ANNA@example.com`)).toContain('already')
    expect(await commands.refusal(`member create ${of} --email anna`)).toContain('email')
    expect(await commands.refusal(`member create ${of} --email c@example.com --role boss`)).toContain('owner or member')
    expect(await commands.json(`member delete ${of} --member ${made.member_id}`)).toEqual({
      deleted: made.member_id,
    })
    expect(await commands.refusal(`member delete ${of} --member ${made.member_id}`)).toContain(
      `no member ${made.member_id}`,
    )
    expect(await commands.refusal('member list --account 999999')).toContain('no account 999999')
  })

  test('notices lists the notices, and whether they were mailed', async () => {
    const { accountId } = account
    const of = `--account ${accountId}`
    expect((await commands.run(`notices ${of}`)).out).toBe('no notices\n')
    const facts = {
      url: 'https://shop.example/hook?key=hush',
      failures: 5,
      last: '503',
      paused_until: null,
      pending_since: null,
    }
    const [endpoint] = await database.db<{ id: number }[]>`
      insert into endpoint (account_id, url, kinds, secret) values (${accountId}, ${facts.url}, '{price}', 'sealed') returning endpoint_id as id`
    await database.db`
      insert into notice (account_id, endpoint_id, kind, facts, mail, mail_next_at, mail_tries, mail_error)
      select ${accountId}, ${endpoint?.id ?? 0}, kind, ${JSON.stringify(facts)}::text::jsonb, mail, due_at::timestamptz, tries, error
      from (values ('failing', 'sent', null, 1, null), ('paused', 'kept', null, 0, 'SMTP_URL is not set'),
        ('paused', 'waiting', '2099-01-01T00:00:00Z', 2, '451 later'), ('recovered', 'waiting', '2099-01-01T00:00:00Z', 0, null)) v (kind, mail, due_at, tries, error)`
    const { notices } = await commands.json(`notices ${of}`)
    expect(notices).toHaveLength(4)
    expect(notices[3]).toEqual({
      notice_id: expect.any(Number),
      endpoint_id: endpoint?.id,
      kind: 'failing',
      facts,
      created_at: expect.stringMatching(/^20/),
      mail: 'sent',
      mail_tries: 1,
      mail_next_at: null,
      mail_error: null,
    })
    const { out } = await commands.run(`notices ${of}`)
    expect(
      out
        .trim()
        .split('\n')
        .map((line) => line.split('\t').slice(3)),
    ).toEqual([
      ['recovered', 'https://shop.example/hook', 'to be mailed'],
      ['paused', 'https://shop.example/hook', 'to be mailed again 2099-01-01T00:00:00+00:00: 451 later'],
      ['paused', 'https://shop.example/hook', 'not mailed: SMTP_URL is not set'],
      ['failing', 'https://shop.example/hook', 'mailed'],
    ])
    const paged = await commands.json(`notices ${of} --limit 1 --before ${notices[1].notice_id}`)
    expect(paged.notices).toEqual([notices[2]])
    expect(await commands.refusal('notices --account 999999')).toContain('no account 999999')
  })
})
