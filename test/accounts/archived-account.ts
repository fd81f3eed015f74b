import { createHash } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll } from 'vitest'
import { ADDITIONAL_MEMBER_NAMES } from '../../contract/additional-members.ts'
import { exportAccount } from '../../src/archive/export.ts'
import { importAccount, type ImportedAccount, type OnImport } from '../../src/archive/import.ts'
import { setOverrides } from '../../src/catalog/products/products.ts'
import { inTransaction } from '../../src/db/sql.ts'
import { openDiskStore } from '../../src/images/store/disk-store.ts'
import { setOwner } from '../../src/people/owner.ts'
import { editAccount } from '../../src/shelf/account.ts'
import { createFullAccount } from '../browser/full-account.ts'
import { giveOffers, offer, type TestAccount } from '../harness/account.ts'
import { openCommands } from '../harness/command.ts'
import { pictureOf, recordAs, turnMirrorOn } from '../harness/images.ts'
import { startTestService, tokenFor, type TestService } from '../harness/service.ts'
import { directoryOfFile, worldOfFile } from '../harness/world.ts'
import { plainPicture } from '../images/pictures.ts'

/** For all tests of a file: an account with rows in every exported table, and its archives whole, whole.tar and whole.tar.gz. */
export function archivedAccount(name: string) {
  const directory = directoryOfFile(name)
  const { database, bench } = worldOfFile()
  const commands = openCommands(database, directory)
  const at = (name: string) => join(directory, name)
  const url = (name: string) => `https://images.example.com/${name}.png`
  const imageStore = openDiskStore(at('images'))
  let service: TestService
  let account: TestAccount
  let front = ''

  beforeAll(async () => {
    service = await startTestService(database, { env: { DATA_DIR: directory, OUTBOUND_ALLOW: '127.0.0.0/8' } })
    account = await createFullAccount(database, service)
    const { db } = database
    const { accountId } = account
    await turnMirrorOn(db, accountId)
    const bytes = await plainPicture(12, 10)
    front = createHash('sha256').update(bytes).digest('hex')
    writeFileSync(at('front.png'), bytes)
    await imageStore.put(front, at('front.png'), 'image/png')
    const [first, second] = await giveOffers(bench, account, [
      offer('P-1', { images: [url('front'), url('lost')], eans: ['4006381333931'] }),
      offer('P-2', {
        group: {
          key: 'shirt',
          title: { en: 'Shirt' },
          options: [{ key: 'size', label: null, value: 'M' }],
          position: 1,
        },
      }),
      offer('P-3', {
        group: {
          key: 'shirt',
          title: { en: 'Shirt' },
          options: [{ key: 'size', label: null, value: 'L' }],
          position: 2,
        },
      }),
    ])
    await giveOffers(bench, account, [offer('S-1', { currency: 'PLN', cost: '40', eans: ['4006381333931'] })], 1)
    const known = { hash: front, type: 'image/png', bytes: bytes.length, width: 12, height: 10 } as const
    // in a transaction of its own: on Citus a reference table is not written behind distributed ones
    await inTransaction(db, (tx) => editAccount(tx, accountId, { additionalMembers: [...ADDITIONAL_MEMBER_NAMES] }))
    await inTransaction(db, async (tx) => {
      await recordAs(tx, accountId, url('front'), { ...pictureOf('front'), ...known })
      await recordAs(tx, accountId, url('lost'), pictureOf('lost'))
      await setOverrides(tx, accountId, [
        { productId: first!, field: 'title', locale: 'en', value: 'Own title' },
      ] as never)
    })
    await db`
      insert into product_exclusion (account_id, product_id, store_id, reason)
      values (${accountId}, ${second!}, 0, 'by hand')`
    await db`update supplier_source set credentials = 'sealed', credentials_kind = 'basic' where account_id = ${accountId} and name = 'catalog'`
    await setOwner(db, accountId, {
      email: 'owner@example.com',
      name: 'Olive Owner',
      password: 'correct horse battery staple',
    })
    await tokenFor(service.runtime, accountId)
    await bench.shelf.drain(accountId)
    await exported('whole')
    await exported('whole.tar.gz')
    await exported('whole.tar')
  }, 240_000)
  afterAll(() => service[Symbol.asyncDispose]())

  const exported = (target: string) =>
    exportAccount({ db: database.db, imageStore }, account.accountId, at(target), () => {})

  function imported(path: string, as: string | null = null, onProgress: OnImport = () => {}): Promise<ImportedAccount> {
    const { db, seal, decoders, imports } = service.runtime
    const rooms = { db, seal, imageStore, decoders, unfinished: imports.unfinished, imageStoreBytesMax: null }
    return importAccount(rooms, at(path), as, onProgress)
  }

  async function accountsCount(): Promise<number> {
    const [row] = await database.db<{ count: number }[]>`select count(*)::int as count from account`
    return row!.count
  }

  return {
    database,
    bench,
    commands,
    at,
    url,
    imageStore,
    imported,
    accountsCount,
    opened: () => ({ service, account }),
    /** The hash of the picture whose bytes are in the store. */
    front: () => front,
  }
}
