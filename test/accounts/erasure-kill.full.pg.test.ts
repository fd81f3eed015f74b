import { join } from 'node:path'
import { expect, test } from 'vitest'
import { inTransaction } from '../../src/db/sql.ts'
import { erasureGet } from '../../src/erasure/erasures.sql.ts'
import { openDiskStore } from '../../src/images/store/disk-store.ts'
import { ERASE_POINTS } from '../crash/erase-points.ts'
import { createAccount, giveOffers, offer } from '../harness/account.ts'
import { openCommands } from '../harness/command.ts'
import { inTurn } from '../harness/gate.ts'
import { pictureOf, recordAs, turnMirrorOn } from '../harness/images.ts'
import { directoryOfFile, worldOfFile } from '../harness/world.ts'
import { fileOf } from '../images/pictures.ts'
import { bytesOf, rowsOf } from './erasures.ts'

// An erasure continues at the point where it was killed, and its receipt counts every row once.

const directory = directoryOfFile('erasure-kill')
const { database, bench } = worldOfFile()
const commands = openCommands(database, directory)
const hashOf = (content: string) => (pictureOf(content) as { hash: string }).hash

/** For each crash point the passes at which the process is killed. The tables are erased one after another, a pass for each batch. */
const PASSES: Record<(typeof ERASE_POINTS)[number], readonly number[]> = {
  'erase:before-commit': [1, 9, 20],
  'erase:after-commit': [2, 15],
  'erase:account-deleted': [1],
}

// a gate tests every point, at one of its passes
test.for(ERASE_POINTS.flatMap((at) => inTurn(PASSES[at]).map((pass) => [at, pass] as const)))(
  'an erasure that is killed at %s, pass %i, is finished by the next command',
  { timeout: 120_000 },
  async ([at, pass]) => {
    const name = `Killed ${at} ${pass}`
    const { accountId } = await createAccount(bench, name)
    const witness = await createAccount(bench, 'Witness')
    await giveOffers(bench, witness, [offer('A')])
    const store = openDiskStore(join(directory, 'images'))
    const content = `${at}${pass}`
    await turnMirrorOn(database.db, accountId)
    const url = `https://images.example.com/${pass}.png`
    await giveOffers(bench, { accountId, ...(await suppliersOf(accountId)) }, [
      offer('A', { images: [url] }),
      offer('B', { images: [url] }),
    ])
    await store.put(hashOf(content), fileOf(directory, 'file', content), 'image/png')
    await inTransaction(database.db, (tx) => recordAs(tx, accountId, url, pictureOf(content)))
    await bench.shelf.drain(accountId)
    const before = await rowsOf(database.db, accountId)
    const other = await bytesOf(database.db, witness.accountId)

    const erase = ['account', 'erase', String(accountId), '--confirm', name, '--json']
    const killed = await commands.runProcess(erase, { env: { SHELFWIRE_KILL_AT: `${at}#${pass}` } })
    expect([killed.code, killed.out]).toEqual([null, ''])
    const left = await rowsOf(database.db, accountId)
    if (at === 'erase:account-deleted') expect(left).toEqual({})
    else expect(left).not.toEqual({})
    expect((await erasureGet(database.db, accountId))?.finishedAt).toBe(null)

    const receipt = await commands.json(erase.slice(0, -1))
    expect(receipt).toMatchObject({ state: 'erased', rows: before })
    expect(await rowsOf(database.db, accountId)).toEqual({})
    expect(await store.stat(hashOf(content))).toBe(undefined)
    expect(await bytesOf(database.db, witness.accountId)).toEqual(other)
  },
)

async function suppliersOf(accountId: number) {
  const rows = await database.db<{ supplierId: number; currency: string }[]>`
    select supplier_id as "supplierId", currency from supplier where account_id = ${accountId} order by supplier_id`
  return { suppliers: [...rows], storeIds: [0, 0, 0] as [number, number, number], groupId: 0 }
}
