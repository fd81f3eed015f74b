import { mkdir, readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { spawn } from 'node:child_process'
import process from 'node:process'
import { text } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import { inTransaction } from '../../src/db/sql.ts'
import { auditInsert } from '../../src/people/audit.sql.ts'
import { openSession } from '../../src/people/sign-in/sessions.ts'
import { makeMember, makePerson } from '../panel/browser.ts'
import { createAccount, openBench } from '../harness/account.ts'
import { COMPILE_CACHE } from '../harness/child-process.ts'
import { openCommands } from '../harness/command.ts'
import { directoryOfFile, worldOfFile } from '../harness/world.ts'

const directory = directoryOfFile('audit-log')
const { database } = worldOfFile()

test('the audit log of one account goes into a file, and a later call goes on without leaving anything out', async () => {
  const commands = openCommands(database, directory)
  const bench = openBench(database.db)
  const { accountId } = await createAccount(bench)
  const { accountId: otherId } = await createAccount(bench)
  const actor = { personId: null, name: 'Anna Kowalska <anna@example.com>', address: '192.0.2.7', userAgent: 'Browser' }
  const act = (target: string, owner = accountId) =>
    inTransaction(database.db, (tx) =>
      auditInsert(tx, owner, actor, { action: 'putStore', target, details: { name: 'Süd\n' } }),
    )
  for (let n = 0; n < 1_201; n++) await act(`/stores/s${n}`)
  await act('/stores/of-another', otherId)
  // all but the last two are an hour old
  await database.db`
    update audit_entry set at = now() - interval '1 hour' where target not in ('/stores/s1199', '/stores/s1200')`
  const file = join(directory, 'audit.ndjson')
  const lines = async () =>
    (await readFile(file, 'utf8'))
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as { id: number; target: string })

  const first = await commands.json(['account', 'audit-log', String(accountId), '--to', file])
  const written = await lines()
  expect(written.map(({ target }) => target)).toEqual(Array.from({ length: 1_201 }, (_, n) => `/stores/s${n}`))
  expect(written[0]).toEqual({
    account_id: accountId,
    id: expect.any(Number),
    at: expect.stringMatching(/^\d{4}-.*\+00:00$/),
    actor: { person_id: null, name: actor.name },
    address: '192.0.2.7',
    user_agent: 'Browser',
    action: 'putStore',
    target: '/stores/s0',
    details: { name: 'Süd\n' },
  })
  expect(first).toEqual({ account_id: accountId, to: file, entries: 1_201, after: written[1_198]?.id })
  expect((await stat(file)).mode & 0o777).toBe(0o600)

  await act('/stores/later')
  const next = await commands.json([
    'account',
    'audit-log',
    String(accountId),
    '--to',
    file,
    '--after',
    `${first.after}`,
  ])
  // entries of the last minutes are printed again, because one with a smaller id may have been committed since
  expect((await lines()).slice(1_201).map(({ target }) => target)).toEqual([
    '/stores/s1199',
    '/stores/s1200',
    '/stores/later',
  ])
  expect(next).toMatchObject({ entries: 3, after: first.after })

  // an account whose entries are all from the last minutes
  await act('/stores/second-of-another', otherId)
  await database.db`update audit_entry set at = now() where account_id = ${otherId}`
  const others = ['account', 'audit-log', String(otherId), '--to', join(directory, 'other.ndjson')]
  expect(await commands.json(others)).toMatchObject({ entries: 2, after: 0 })
  expect(await commands.json([...others, '--after', '0'])).toMatchObject({ entries: 2, after: 0 })

  // a line that a full disk or a kill cut off stays a line of its own, and the next one is complete
  const cut = join(directory, 'cut.ndjson')
  await writeFile(cut, '{"account_id":7,"targ')
  const again = ['account', 'audit-log', String(otherId), '--to', cut]
  expect(await commands.json(again)).toMatchObject({ entries: 2 })
  expect(await commands.json(again)).toMatchObject({ entries: 2 })
  const [rest, ...whole] = (await readFile(cut, 'utf8')).trimEnd().split('\n')
  expect(rest).toBe('{"account_id":7,"targ')
  expect(whole.map((line) => (JSON.parse(line) as { target: string }).target)).toEqual([
    '/stores/of-another',
    '/stores/second-of-another',
    '/stores/of-another',
    '/stores/second-of-another',
  ])

  await mkdir(join(directory, 'folder'))
  expect(
    await commands.refusal(['account', 'audit-log', String(accountId), '--to', join(directory, 'folder')]),
  ).toMatch(/^shelfwire: \S+folder cannot be written: EISDIR/)
  expect(await commands.refusal(['account', 'audit-log', 'Nobody', '--to', file])).toContain('there is no account')
})

test('with --follow what comes is written once, until the process is ended, which names where to go on', async () => {
  const { accountId } = await createAccount(openBench(database.db))
  const file = join(directory, 'followed.ndjson')
  const actor = { personId: null, name: 'Anna', address: '192.0.2.7', userAgent: 'Browser' }
  const act = (target: string) =>
    inTransaction(database.db, (tx) => auditInsert(tx, accountId, actor, { action: 'putStore', target, details: {} }))
  const targets = async () =>
    (await readFile(file, 'utf8').catch(() => ''))
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => (JSON.parse(line) as { target: string }).target)
  await act('/first')
  const child = spawn(
    process.execPath,
    ['src/main.ts', 'account', 'audit-log', String(accountId), '--to', file, '--follow', '--json'],
    {
      stdio: ['ignore', 'pipe', 'inherit'],
      env: { ...process.env, ...COMPILE_CACHE, DATABASE_URL: database.url, DATA_DIR: directory },
    },
  )
  const said = text(child.stdout)
  await expect.poll(targets, { timeout: 20_000 }).toEqual(['/first'])
  await act('/second')
  await expect.poll(targets, { timeout: 20_000 }).toEqual(['/first', '/second'])
  child.kill('SIGTERM')
  expect(JSON.parse(await said)).toMatchObject({ entries: 2, after: 0 })
})

test('sign-ins and open sessions of the members of an account, and of nobody else, go into files', async () => {
  const commands = openCommands(database, directory)
  const { accountId } = await createAccount(openBench(database.db))
  const [anna, eva] = [
    await makePerson(database.db, 'anna@example.com'),
    await makePerson(database.db, 'eva@example.com'),
  ]
  await makeMember(database.db, accountId, anna, 'anna@example.com', 'owner')
  const from = { address: '192.0.2.9', userAgent: 'Browser' }
  for (const personId of [anna, eva])
    await inTransaction(database.db, (tx) => openSession(tx, personId, from, { by: 'provider' }))
  const [log, sessions] = [join(directory, 'sign-ins.ndjson'), join(directory, 'sessions.ndjson')]
  expect(await commands.json(['account', 'sign-in-log', String(accountId), '--to', log])).toMatchObject({
    entries: 1,
    after: 0,
  })
  expect(JSON.parse(await readFile(log, 'utf8'))).toMatchObject({
    account_id: accountId,
    person: { person_id: anna, email: 'anna@example.com' },
    kind: 'signed-in',
    address: '192.0.2.9',
  })
  expect(await commands.json(['account', 'sessions', String(accountId), '--to', sessions])).toMatchObject({
    sessions: 1,
  })
  expect(JSON.parse(await readFile(sessions, 'utf8'))).toMatchObject({
    person: { person_id: anna, email: 'anna@example.com' },
    signed_in_by: 'provider',
    user_agent: 'Browser',
  })
  expect(await readFile(sessions, 'utf8')).not.toMatch(/sws_|token/)
})
