import { beforeEach, expect, test } from 'vitest'
import { inTransaction } from '../../src/db/sql.ts'
import { noticeChannelGet } from '../../src/notices/notice-channels.sql.ts'
import {
  createNoticeChannel,
  editNoticeChannel,
  settingsOf,
  type NoticeChannelChanges,
} from '../../src/notices/notice-channels.ts'
import { silentLog } from '../../src/platform/log.ts'
import { must } from '../../src/platform/must.ts'
import { openSeal, sealedKeyId, type Seal } from '../../src/platform/secrets/seal.ts'
import { SEALED_KINDS } from '../../src/sealed/kinds.ts'
import { rekey } from '../../src/sealed/rekey.ts'
import { sealedReplace, sealedUnderOtherKeys } from '../../src/sealed/sealed.sql.ts'
import { createAccount } from '../harness/account.ts'
import { hold, openNamed } from '../harness/interleave.ts'
import { worldOfFile } from '../harness/world.ts'

// A notice channel is edited while `rekey` seals its settings with another key.

const { database, bench } = worldOfFile({})
const [OLD, NEW] = ['o', 'n'].map((letter) => letter.repeat(32)) as [string, string]
const before = openSeal([OLD])
/** The keys of step 2 of docs/operations.md, with which all processes run while `rekey` does. */
const both = openSeal([NEW, OLD])
const newKeyId = must(both.keyIds()[0])
const CHANNELS = must(SEALED_KINDS.find(({ table }) => table === 'notice_channel'))
const ADDRESS = 'https://chat.example/hook?token=hush'

const toolsOf = (seal: Seal) => ({
  seal,
  outbound: { isAllowed: () => true, send: () => Promise.reject(new Error('nothing is sent here')) },
  publicUrl: () => '',
})
let accountId: number
let channelId: number
beforeEach(async () => {
  accountId = (await createAccount(bench)).accountId
  const channel = { name: 'Team', kind: 'webhook', url: ADDRESS, noticeKinds: null, isPaused: false } as const
  const made = await inTransaction(database.db, (tx) => createNoticeChannel(tx, accountId, channel, toolsOf(before)))
  channelId = made.channelId
})

const edit = (changes: NoticeChannelChanges, db = database.db) =>
  inTransaction(db, (tx) => editNoticeChannel(tx, accountId, channelId, changes, toolsOf(both)))
/** The channel, and the key and URL of its sealed settings. */
async function stored() {
  const channel = must(await noticeChannelGet(database.db, accountId, channelId))
  const { url } = settingsOf(both, accountId, channel)
  return { name: channel.name, keyId: sealedKeyId(must(channel.settings)), url }
}

test('an edit that waits for rekey writes back what rekey has sealed (I195)', async () => {
  await using other = openNamed(database)
  const [row] = await sealedUnderOtherKeys(database.db, CHANNELS, accountId, newKeyId, 0, 10)
  const sealed = both.close(both.open(row!.sealed, CHANNELS.contextOf(row!)), CHANNELS.contextOf(row!))
  await using replaced = await hold(database.db, (tx) => sealedReplace(tx, CHANNELS, row!, sealed))
  const editing = edit({ name: 'Renamed' }, other.db)
  expect(await other.fate(editing)).toBe('blocked')
  await replaced.commit()
  await editing
  expect(await stored()).toEqual({ name: 'Renamed', keyId: newKeyId, url: ADDRESS })
})

test.each([
  ['name', { name: 'Renamed' }, ADDRESS],
  ['URL', { url: 'https://chat.example/other' }, 'https://chat.example/other'],
] as const)('rekey seals what an edit of the %s that it waits for leaves (I195)', async (_, changes, url) => {
  await using other = openNamed(database)
  await using edited = await hold(database.db, (tx) =>
    editNoticeChannel(tx, accountId, channelId, changes, toolsOf(both)),
  )
  const options = { db: other.db, seal: both, log: silentLog, lostKeyId: null, onProgress: () => {} }
  const sealing = rekey(options)
  expect(await other.fate(sealing)).toBe('blocked')
  await edited.commit()
  await sealing
  expect(await stored()).toMatchObject({ keyId: newKeyId, url })
})
