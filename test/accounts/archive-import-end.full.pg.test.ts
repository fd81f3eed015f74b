import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { createAccount, expectAudited, giveOffers, offer } from '../harness/account.ts'
import { isCluster } from '../harness/database.ts'
import { openCommands } from '../harness/command.ts'
import { directoryOfFile, worldOfFile } from '../harness/world.ts'

// What `account import` says when the account is imported, and something fails afterwards.

const directory = directoryOfFile('archive-import-end')
const { database, bench } = worldOfFile()
const commands = openCommands(database, directory)
const archive = join(directory, 'account.tar')
beforeAll(async () => {
  const account = await createAccount(bench, 'Exported')
  await giveOffers(bench, account, [offer('A'), offer('B')])
  await commands.json(['account', 'export', String(account.accountId), '--to', archive])
})

const newest = async () => {
  const [row] = await database.db<{ id: number }[]>`select max(account_id) as id from account`
  return row!.id
}

// triggers are not created on distributed tables
test.skipIf(isCluster()).each([true, false])(
  'names the new account where its products cannot be computed, and exits with 3 (as JSON: %s)',
  { timeout: 120_000 },
  async (isJson) => {
    const before = await newest()
    await database.db.unsafe(`
      create function refuse_payload() returns trigger language plpgsql as $$ begin raise exception 'refused for a test'; end $$;
      create trigger refuse_payload before insert on payload_content for each row execute function refuse_payload()`)
    let ended
    try {
      ended = await commands.run(['account', 'import', archive, ...(isJson ? ['--json'] : [])])
    } finally {
      await database.db.unsafe('drop trigger refuse_payload on payload_content; drop function refuse_payload()')
    }
    const made = await newest()
    expect(made).toBeGreaterThan(before)
    expect(ended.code).toBe(3)
    if (isJson) expect(JSON.parse(ended.out)).toMatchObject({ account_id: made, name: 'Exported' })
    else expect(ended.out).toContain(`account ${made} "Exported" is there`)
    expect(ended.err).toContain(`account ${made} is imported; do not import the archive again`)
    expect(ended.err).toContain('the service computes them while it runs (refused for a test)')
    // as the service does
    await bench.shelf.drain(made)
    await expectAudited(database.db, made)
  },
)
