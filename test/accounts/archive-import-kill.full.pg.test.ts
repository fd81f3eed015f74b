import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createAccount, expectAudited, giveOffers, offer } from '../harness/account.ts'
import { openCommands } from '../harness/command.ts'
import { directoryOfFile, worldOfFile } from '../harness/world.ts'

// An import that is killed leaves either no account or a complete one, whose products the next worker shelves.

const directory = directoryOfFile('archive-import-kill')
const { database, bench } = worldOfFile()
const commands = openCommands(database, directory)
const OFFERS = 1_500

const accounts = async () => {
  const rows = await database.db<{ id: number }[]>`select account_id as id from account order by account_id`
  return rows.map(({ id }) => id)
}

test(
  'an import that is killed before its commit leaves nothing, and one that is killed behind it a whole account',
  { timeout: 240_000 },
  async () => {
    const account = await createAccount(bench, 'Killed')
    await giveOffers(
      bench,
      account,
      Array.from({ length: OFFERS }, (_, i) => offer(`A-${i}`)),
    )
    const archive = join(directory, 'killed.tar.gz')
    await commands.json(['account', 'export', String(account.accountId), '--to', archive])
    const before = await accounts()
    const importing = ['account', 'import', archive, '--name', 'Again']

    const killed = await commands.runProcess(importing, { env: { SHELFWIRE_KILL_AT: 'archive:before-commit' } })
    expect([killed.code, killed.out]).toEqual([null, ''])
    expect(await accounts()).toEqual(before)

    const left = await commands.runProcess(importing, { env: { SHELFWIRE_KILL_AT: 'archive:after-commit' } })
    expect([left.code, left.out]).toEqual([null, ''])
    const [whole, ...others] = (await accounts()).filter((id) => !before.includes(id))
    expect([whole === undefined, others]).toEqual([false, []])
    await bench.shelf.drain(whole!)
    await expectAudited(database.db, whole!)
    const [payloads] = await database.db<{ count: number }[]>`
    select count(*)::int as count from payload_content where account_id = ${whole!}`
    expect(payloads!.count).toBe(3 * OFFERS)

    const printed = await commands.json(importing)
    await expectAudited(database.db, printed.account_id as number)
  },
)
