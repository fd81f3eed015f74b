import { BUDGETS } from '../../contract/account-limits.ts'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { inTransaction } from '../../src/db/sql.ts'
import { removeMember } from '../../src/people/members.ts'
import { createAccount, type TestAccount } from '../harness/account.ts'
import { openCommands } from '../harness/command.ts'
import { hold, openNamed } from '../harness/interleave.ts'
import {
  makeMember,
  makePerson,
  openBrowser,
  PASSWORD,
  signedIn,
  type Browser,
  elsewhere,
  tokenOf,
  isSignedIn,
  makeOwner,
} from './browser.ts'
import { peopleOfFile } from './people-bench.ts'

// Members and invitations.

let account: TestAccount
let owner: Browser
let ownerId: number
let email: string
const { database, bench, service, mailing, sink, of, newcomer, invite, accept, read } = peopleOfFile(
  (ground) => ({ account, owner, ownerId, email } = ground),
)
/** The session cookie of a browser for the https service, where it has another name. */
const httpsCookie = (browser: Browser) => ({ Cookie: `__Host-shelfwire_session=${browser.cookie}` })

describe('an invitation', () => {
  test('makes a person and a member, once; its role is the member’s', async () => {
    const address = newcomer()
    const made = await invite(address, 'member')
    expect(made).toMatchObject({ email: address, role: 'member', mail: 'off', invited_by: 'Olga' })
    expect(made.link).toMatch(new RegExp(`^${service.url}/panel/link#swl_[\\w-]{43}$`))
    const token = tokenOf(made.link)
    expect((await read(token)).body.data).toMatchObject({
      kind: 'invitation',
      email: address,
      account_name: 'Acme',
      role: 'member',
    })
    const browser = openBrowser(service.url)
    const accepted = await accept(browser, token)
    expect(accepted.body.data).toMatchObject({
      state: 'signed-in',
      session: { person: { email: address, name: 'Nina' }, accounts: [{ id: account.accountId, role: 'member' }] },
    })
    expect(await isSignedIn(browser)).toBe(true)
    // the link is used up
    expect((await read(token)).body.code).toBe('link-ended')
    expect((await accept(openBrowser(service.url), token)).body.code).toBe('link-ended')
    const members = (await owner.get(of('/members'))).body.data
    expect(
      members.map((row: { email: string; role: string; is_you: boolean }) => [row.email, row.role, row.is_you]),
    ).toEqual([
      [email, 'owner', true],
      [address, 'member', false],
    ])
    expect((await owner.get(of('/invitations'))).body.data).toEqual([])
    expect((await openBrowser(service.url).signIn(address)).accounts).toHaveLength(1)
  })

  test('is mailed where there is a mail server, and then shown to nobody else', async () => {
    const address = newcomer()
    const csrf = owner.csrf!
    const headers = { ...httpsCookie(owner), 'X-CSRF-Token': csrf }
    const answer = await openBrowser(mailing.url).post(
      of('/invitations'),
      { email: address, role: 'owner' },
      { headers },
    )
    expect(answer.body.data).toMatchObject({ mail: 'sent', mail_error: null, link: null })
    expect(sink.mails.map(({ recipients }) => recipients)).toEqual([[address]])
    const { text = '', subject } = sink.mails[0]!.mail
    expect(subject).toBe('Invitation to Acme on Shelfwire')
    const token = /https:\/\/panel\.example\.com\/panel\/link#(swl_\S+)/.exec(text)?.[1] ?? ''
    expect(answer.text).not.toContain(token)
    expect((await accept(openBrowser(service.url), token)).status).toBe(200)
    // refused by the mail server: the owner is told, and may invite again; the link is still not shown
    sink.manner = 550
    const failed = await openBrowser(mailing.url).post(
      of('/invitations'),
      { email: newcomer(), role: 'member' },
      { headers },
    )
    expect(failed.body.data).toMatchObject({ mail: 'failed', link: null })
    expect(failed.body.data.mail_error).toContain('refused by the sink')
  })

  test('again to the same address ends the earlier one; it can be withdrawn', async () => {
    const address = newcomer()
    const first = tokenOf((await invite(address)).link)
    const second = await invite(address.toUpperCase())
    expect((await read(first)).body.code).toBe('link-ended')
    expect((await owner.get(of('/invitations'))).body.data).toHaveLength(1)
    expect((await owner.send('DELETE', of(`/invitations/${second.id}`))).status).toBe(204)
    expect((await accept(openBrowser(service.url), tokenOf(second.link))).body.code).toBe('link-ended')
    expect((await owner.send('DELETE', of(`/invitations/${second.id}`))).body.code).toBe('unknown-reference')
  })

  test('ends after seven days', async () => {
    const { id, link } = await invite(newcomer())
    await database.db`update one_time_link set expires_at = now() where link_id = ${id}`
    expect((await read(tokenOf(link))).body.code).toBe('link-ended')
    expect((await accept(openBrowser(service.url), tokenOf(link))).body.code).toBe('link-ended')
    expect((await owner.get(of('/invitations'))).body.data).toEqual([])
  })

  test('of somebody who has a password is accepted by signing in: the link alone changes nothing', async () => {
    const address = newcomer()
    const personId = await makePerson(database.db, address, 'Petra')
    const token = tokenOf((await invite(address, 'owner')).link)
    const thief = openBrowser(service.url)
    expect((await accept(thief, token, { name: 'Thief', password: 'a password of a thief' })).body.code).toBe(
      'sign-in-failed',
    )
    expect(
      (await thief.post('/panel/api/sign-in', { email: address, password: 'a password of a thief' }, elsewhere()))
        .status,
    ).toBe(401)
    // signed in as somebody else
    expect((await accept(owner, token, {})).body.code).toBe('not-signed-in')
    const petra = await signedIn(database.db, service.url, personId)
    expect((await accept(Object.assign(openBrowser(service.url), { cookie: petra.cookie }), token, {})).body.code).toBe(
      'csrf-refused',
    )
    const cookie = petra.cookie
    expect((await accept(petra, token, {})).body.data.session).toMatchObject({
      person: { name: 'Petra' },
      accounts: [{ role: 'owner' }],
    })
    expect(petra.cookie).toBe(cookie)
  })

  test('does not say whether anybody has its address, before somebody new has signed up with it', async () => {
    const [known, free] = [newcomer(), newcomer()]
    await makePerson(database.db, known)
    const tokens = [tokenOf((await invite(known)).link), tokenOf((await invite(free)).link)]
    const same = async (ask: (token: string) => Promise<{ status: number; text: string }>) => {
      const [one, two] = await Promise.all(tokens.map(ask))
      const plain = (text: string) =>
        text
          .replaceAll(known, 'X')
          .replaceAll(free, 'X')
          .replaceAll(/\+00:00|T[\d:]+/g, '')
      expect([one!.status, plain(one!.text)]).toEqual([two!.status, plain(two!.text)])
    }
    await same(read)
    await same((token) => accept(openBrowser(service.url), token, {}))
    await same((token) => accept(openBrowser(service.url), token, { name: 'Nina', password: 'short' }))
    await same((token) => accept(openBrowser(service.url), token, { name: '', password: PASSWORD }))
    await same((token) => accept(owner, token, {}))
  })

  test('is mailed to one address only so often, whichever accounts send it', async () => {
    const address = newcomer()
    const statuses: number[] = []
    for (let i = 0; i < 6; i++) {
      const other = await createAccount(bench, `Sender ${i}`)
      const sender = await makeOwner(database.db, service.url, other.accountId, newcomer())
      const headers = { ...httpsCookie(sender.owner), 'X-CSRF-Token': sender.owner.csrf! }
      const path = of('/invitations', other.accountId)
      const body = { email: i % 2 === 0 ? address : address.toUpperCase(), role: 'member' }
      statuses.push((await openBrowser(mailing.url).post(path, body, { headers })).status)
    }
    expect(statuses).toEqual([201, 201, 201, 429, 429, 429])
    expect(sink.mails.filter(({ recipients }) => recipients[0]?.toLowerCase() === address)).toHaveLength(3)
    // without a mail server the limit on mails does not apply
    for (let i = 0; i < 5; i++) await invite(address)
  })

  test('leads nowhere but to its link, whatever an account or a person is called', async () => {
    await database.db`update account set name = ${'\u202Eemca evil.example/pay'} where account_id = ${account.accountId}`
    await database.db`update person set name = 'https://evil.example' where person_id = ${ownerId}`
    const headers = { ...httpsCookie(owner), 'X-CSRF-Token': owner.csrf! }
    const address = newcomer()
    await openBrowser(mailing.url).post(of('/invitations'), { email: address, role: 'member' }, { headers })
    const { subject, text = '' } = sink.mails.find(({ recipients }) => recipients.includes(address))!.mail
    expect(subject).toBe('Invitation to Shelfwire')
    expect(text).not.toMatch(/evil\.example|\u202E/)
    expect(text.match(/https?:\/\/\S+/g)).toHaveLength(1)
  })

  test('needs a name and a good password, and can be used again after a refusal', async () => {
    const token = tokenOf((await invite(newcomer())).link)
    for (const [body, name] of [
      [{}, 'name'],
      [{ name: 'Nina' }, 'password'],
      [{ name: 'Nina', password: 'short' }, 'password'],
      [{ name: ' ', password: PASSWORD }, 'name'],
    ] as const)
      expect((await accept(openBrowser(service.url), token, body)).body).toMatchObject({
        code: 'invalid-input',
        errors: expect.arrayContaining([expect.objectContaining({ name })]),
      })
    expect((await accept(openBrowser(service.url), token)).status).toBe(200)
  })

  test('used by two at the same time makes one person', async () => {
    const token = tokenOf((await invite(newcomer())).link)
    const answers = await Promise.all([1, 2, 3].map(() => accept(openBrowser(service.url), token)))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    expect((await owner.get(of('/members'))).body.data).toHaveLength(2)
  })

  test('makes the person of a member who was only mailed until then', async () => {
    const address = newcomer()
    await database.db`insert into member (account_id, email, role) values (${account.accountId}, ${address}, 'owner')`
    const [before] = (await owner.get(of('/members'))).body.data.slice(1)
    expect(before).toMatchObject({ email: address, name: null })
    await accept(openBrowser(service.url), tokenOf((await invite(address, 'member')).link))
    const [after] = (await owner.get(of('/members'))).body.data.slice(1)
    expect(after).toMatchObject({ id: before.id, name: 'Nina', role: 'member' })
    expect((await owner.post(of('/invitations'), { email: address, role: 'owner' })).body.code).toBe('conflict')
  })

  test('to what is no address, or beyond the members of an account, is refused', async () => {
    for (const address of ['', 'nobody', 'a@b@c', 'a@example.com,b@example.com'])
      expect((await owner.post(of('/invitations'), { email: address, role: 'member' })).body).toMatchObject({
        code: 'invalid-input',
        errors: [{ name: 'email' }],
      })
    expect((await owner.post(of('/invitations'), { email: newcomer(), role: 'king' })).body.code).toBe('invalid-input')
    await database.db`insert into member (account_id, email, role)
      select ${account.accountId}, 'm' || n || '@example.com', 'member' from generate_series(1, ${BUDGETS.members.default - 1}) n`
    expect((await owner.post(of('/invitations'), { email: newcomer(), role: 'member' })).body.code).toBe(
      'quota-exceeded',
    )
  })
})

describe('a person in two accounts', () => {
  test('is in each what that account made of them, and loses one without the other', async () => {
    const other = await createAccount(bench, 'Other')
    const otherOwnerId = await makePerson(database.db, newcomer())
    await makeMember(database.db, other.accountId, otherOwnerId, newcomer(), 'owner')
    const address = newcomer()
    const personId = await makePerson(database.db, address)
    const memberId = await makeMember(database.db, account.accountId, personId, address, 'member')
    await makeMember(database.db, other.accountId, personId, address, 'owner')
    const browser = await signedIn(database.db, service.url, personId)
    const { accounts } = (await browser.get('/panel/api/session')).body.data
    expect(accounts.map((row: { id: number; role: string }) => [row.id, row.role])).toEqual([
      [account.accountId, 'member'],
      [other.accountId, 'owner'],
    ])
    const token = { name: 'x', access: 'connector' }
    expect((await browser.post(of('/tokens'), token)).body.code).toBe('owner-required')
    expect((await browser.post(of('/tokens', other.accountId), token)).status).toBe(201)
    // each account's tokens are its own
    expect((await browser.get(of('/tokens'))).body.data).toEqual([])
    expect((await owner.send('DELETE', of(`/members/${memberId}`))).status).toBe(204)
    expect((await browser.get(of('/tokens'))).body.code).toBe('unknown-account')
    expect((await browser.get(of('/tokens', other.accountId))).status).toBe(200)
  })

  test('of no account any more still signs in, and sees none', async () => {
    const personId = await makePerson(database.db, newcomer())
    expect(
      (await (await signedIn(database.db, service.url, personId)).get('/panel/api/session')).body.data.accounts,
    ).toEqual([])
  })
})

describe('members', () => {
  const second = async (role: 'owner' | 'member') => {
    const address = newcomer()
    const personId = await makePerson(database.db, address)
    const memberId = await makeMember(database.db, account.accountId, personId, address, role)
    return { browser: await signedIn(database.db, service.url, personId), memberId }
  }
  const ownMemberId = async () =>
    (await owner.get(of('/members'))).body.data.find((row: { is_you: boolean }) => row.is_you).id as number

  test('may leave, and may not remove others or change roles', async () => {
    const { browser, memberId } = await second('member')
    const ownerMember = await ownMemberId()
    expect((await browser.send('DELETE', of(`/members/${ownerMember}`))).body.code).toBe('owner-required')
    expect((await browser.send('PATCH', of(`/members/${memberId}`), { body: { role: 'owner' } })).body.code).toBe(
      'owner-required',
    )
    expect((await browser.post(of('/invitations'), { email: newcomer(), role: 'owner' })).body.code).toBe(
      'owner-required',
    )
    expect((await browser.get(of('/audit'))).body.code).toBe('owner-required')
    expect((await browser.send('DELETE', of(`/members/${memberId}`))).status).toBe(204)
    expect((await browser.get(of('/members'))).body.code).toBe('unknown-account')
  })

  test('a role counts at the next request', async () => {
    const { browser, memberId } = await second('member')
    const token = { name: 'x', access: 'connector' }
    expect((await browser.post(of('/tokens'), token)).status).toBe(403)
    expect((await owner.send('PATCH', of(`/members/${memberId}`), { body: { role: 'owner' } })).body.data.role).toBe(
      'owner',
    )
    expect((await browser.post(of('/tokens'), token)).status).toBe(201)
    await owner.send('PATCH', of(`/members/${memberId}`), { body: { role: 'member' } })
    expect((await browser.post(of('/tokens'), token)).status).toBe(403)
  })

  test('a change on what somebody else has changed meanwhile is refused', async () => {
    const { memberId } = await second('member')
    const [, { revision }] = (await owner.get(of('/members'))).body.data
    const change = (role: string) =>
      owner.send('PATCH', of(`/members/${memberId}`), { body: { role }, headers: { 'If-Match': `"${revision}"` } })
    expect((await change('owner')).status).toBe(200)
    expect((await change('member')).body.code).toBe('precondition-failed')
  })

  test('the last owner who can sign in stays an owner', async () => {
    const memberId = await ownMemberId()
    await database.db`insert into member (account_id, email, role) values (${account.accountId}, ${newcomer()}, 'owner')`
    const { memberId: otherId } = await second('member')
    expect((await owner.send('DELETE', of(`/members/${memberId}`))).body.code).toBe('conflict')
    expect((await owner.send('PATCH', of(`/members/${memberId}`), { body: { role: 'member' } })).body.code).toBe(
      'conflict',
    )
    await owner.send('PATCH', of(`/members/${otherId}`), { body: { role: 'owner' } })
    expect((await owner.send('DELETE', of(`/members/${memberId}`))).status).toBe(204)
  })

  test('when two owners remove each other at the same moment, one stays', async () => {
    const { memberId: otherId } = await second('owner')
    const memberId = await ownMemberId()
    const remove = (of: number) => (tx: Parameters<typeof removeMember>[0]) =>
      removeMember(tx, account.accountId, of, () => {})
    await using one = openNamed(database)
    await using first = await hold(database.db, remove(otherId))
    const later = inTransaction(one.db, remove(memberId))
    expect(await one.fate(later)).toBe('blocked')
    await first.commit()
    await expect(later).rejects.toMatchObject({ code: 'conflict' })
    expect((await owner.get(of('/members'))).body.data).toHaveLength(1)
  })
})

describe('commands', () => {
  test('make the first owner of an account, who signs in by the printed link', async () => {
    const directory = await mkdtemp(join(tmpdir(), 'shelfwire-people-'))
    const commands = openCommands(database, directory)
    const fresh = await createAccount(bench, 'Fresh')
    const of = ['--account', String(fresh.accountId)]
    const address = newcomer()
    const made = await commands.json(['member', 'create', ...of, '--email', address])
    const browser = openBrowser(service.url)
    const first = await accept(browser, tokenOf(made.link))
    expect(first.body.data.session.accounts).toMatchObject([{ id: fresh.accountId, role: 'owner' }])
    // a forgotten password, and a lost device
    await database.db`update person set totp_secret = 'sealed' where lower(email) = ${address}`
    const again = await commands.json(['member', 'link', ...of, '--member', String(made.member_id), '--remove-codes'])
    expect(again.kind).toBe('password-reset')
    expect(await isSignedIn(browser)).toBe(false)
    const reset = await openBrowser(service.url).post(
      '/panel/api/links/reset-password',
      { token: tokenOf(again.link), password: 'another good one 9' },
      elsewhere(),
    )
    expect(reset.body.data.state).toBe('signed-in')
    // a person who never signed in gets another invitation, which ends the first; a deleted member's link does not work
    const second = await commands.json(['member', 'create', ...of, '--email', newcomer(), '--role', 'member'])
    const other = await commands.json(['member', 'link', ...of, '--member', String(second.member_id)])
    expect(other.kind).toBe('invitation')
    expect((await read(tokenOf(second.link))).body.code).toBe('link-ended')
    await commands.json(['member', 'delete', ...of, '--member', String(second.member_id)])
    expect((await accept(openBrowser(service.url), tokenOf(other.link))).body.code).toBe('link-ended')
    expect(await commands.refusal(['member', 'link', ...of, '--member', '999999'])).toContain('no member 999999')
    await rm(directory, { recursive: true })
  })
})

test('links are stored as hashes only', async () => {
  const { link } = await invite(newcomer())
  const rows = await database.db<{ row: string }[]>`select l::text as row from one_time_link l`
  expect(rows.length).toBeGreaterThan(0)
  expect(rows.map(({ row }) => row).join()).not.toContain(tokenOf(link))
})

test('fence-restore says what a restored backup opens the service to, and ends what it is told to', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'shelfwire-fence-'))
  const commands = openCommands(database, directory)
  const { link } = await invite(newcomer())
  const created = await owner.post(of('/tokens'), { name: 'shop', access: 'full' })
  const read = () =>
    fetch(`${service.url}/v1/account`, { headers: { Authorization: `Bearer ${created.body.data.token}` } })
  const plain = await commands.json(['fence-restore'])
  expect(plain.left).toEqual(plain.before)
  for (const kind of ['sessions', 'tokens', 'links', 'members'])
    expect([kind, plain.before[kind] > 0]).toEqual([kind, true])
  expect([await isSignedIn(owner), (await read()).status]).toEqual([true, 200])
  const ended = await commands.json(['fence-restore', '--end-sessions'])
  expect(ended.left).toEqual({ ...plain.before, sessions: 0 })
  expect(await isSignedIn(owner)).toBe(false)
  const { before, left } = await commands.json(['fence-restore', '--end-everything'])
  expect([before.tokens > 0, left]).toEqual([
    true,
    { ...before, tokens: 0, links: 0, endpoint_links: 0, recovery_codes: 0 },
  ])
  const invited = await openBrowser(service.url).post('/panel/api/links/read', { token: tokenOf(link) }, elsewhere())
  expect(invited.body.code).toBe('link-ended')
  await expect.poll(async () => (await read()).status, { timeout: 5_000 }).toBe(401)
  await rm(directory, { recursive: true })
})
