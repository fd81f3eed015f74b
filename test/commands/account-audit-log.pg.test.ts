import { mkdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { inTransaction } from '../../src/db/sql.ts'
import { auditInsert } from '../../src/people/audit.sql.ts'
import { createAccount, openBench } from '../harness/account.ts'
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
  // those of the last minutes again: one with a smaller id might have come since
  expect((await lines()).slice(1_201).map(({ target }) => target)).toEqual([
    '/stores/s1199',
    '/stores/s1200',
    '/stores/later',
  ])
  expect(next).toMatchObject({ entries: 3, after: first.after })

  // of an account in which nothing is older than the last minutes
  await act('/stores/second-of-another', otherId)
  await database.db`update audit_entry set at = now() where account_id = ${otherId}`
  const others = ['account', 'audit-log', String(otherId), '--to', join(directory, 'other.ndjson')]
  expect(await commands.json(others)).toMatchObject({ entries: 2, after: 0 })
  expect(await commands.json([...others, '--after', '0'])).toMatchObject({ entries: 2, after: 0 })

  await mkdir(join(directory, 'folder'))
  expect(
    await commands.refusal(['account', 'audit-log', String(accountId), '--to', join(directory, 'folder')]),
  ).toMatch(/^shelfwire: \S+folder cannot be written: EISDIR/)
  expect(await commands.refusal(['account', 'audit-log', 'Nobody', '--to', file])).toContain('there is no account')
})
