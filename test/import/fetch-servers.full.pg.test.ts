import { mkdir, readdir, readFile, rename, rm, symlink, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import type { FetchOptions } from '../../src/imports/fetch/fetch-source.ts'
import type { Fetched } from '../../src/imports/fetch/fetched.ts'
import { openFileReaders } from '../../src/file-readers/readers.ts'
import { silentLog } from '../../src/platform/log.ts'
import { trySource } from '../../src/imports/fetch/try-source.ts'
import type { NewSource } from '../../src/imports/sources/edit-sources.ts'
import { LIMITS } from '../../src/platform/limits.ts'
import { startFtpServer } from './ftp-server.ts'
import { generateSshKey, startSftpServer } from './sftp-server.ts'
import { openSourcesBench } from './sources-bench.ts'
import { ofFile } from '../harness/world.ts'

// Fetching from SFTP and FTP servers on loopback, and from directories.

const at = ofFile(openSourcesBench)
const readers = openFileReaders(silentLog)
afterAll(() => readers.close())

const never = new AbortController().signal
const PASSWORD = { kind: 'password', username: 'shop', password: 'hush' } as const
const OLD = 1_790_000_000

const fetchId = (sourceId: number, options: Partial<FetchOptions> = {}, signal = never): Promise<Fetched> =>
  at.fetching(options).fetchSource(at.account.accountId, sourceId, signal, () => {})
const fetch = async (source: Partial<NewSource>, options: Partial<FetchOptions> = {}) =>
  fetchId(await at.add(source), options)

async function contentOf(fetched: Fetched): Promise<string> {
  if (fetched.kind !== 'file') throw new Error(JSON.stringify(fetched))
  const text = await readFile(fetched.path, 'utf8')
  await rm(fetched.path)
  expect(await readdir(at.directory)).toEqual([])
  return `${fetched.name}: ${text}`
}

describe('SFTP', () => {
  const sftp = (url: string, over: Partial<NewSource> = {}) =>
    ({ kind: 'sftp', url, credentials: PASSWORD, ...over }) as const

  test('fetches a file by its path, below the home directory, and by a pattern the newest', async () => {
    await using server = await startSftpServer()
    server.files.set('/out/stock.csv', { content: 'whole', mtime: OLD })
    server.files.set('/out/stock-01.csv', { content: 'older', mtime: OLD + 1 })
    server.files.set('/out/stock-02.csv', { content: 'newest', mtime: OLD + 2 })
    server.files.set('/out/prices-03.csv', { content: 'other', mtime: OLD + 3 })
    server.files.set('/home/shop/mine.csv', { content: 'of the user', mtime: OLD })
    const content = async (path: string) => contentOf(await fetch(sftp(`${server.url}${path}`)))
    expect(await content('/out/stock.csv')).toBe('stock.csv: whole')
    expect(await content('/out/stock-*.csv')).toBe('stock-02.csv: newest')
    expect(await content('/~/mine.csv')).toBe('mine.csv: of the user')
    expect(await content('/~/*.csv')).toBe('mine.csv: of the user')
  })

  test('fetches a file of a server that says no times, which its protocol allows', async () => {
    await using server = await startSftpServer()
    server.files.set('/stock-1.csv', { content: 'first', mtime: null })
    server.files.set('/stock-2.csv', { content: 'second', mtime: null })
    expect(await contentOf(await fetch(sftp(`${server.url}/stock-1.csv`)))).toBe('stock-1.csv: first')
    const fetched = await fetch(sftp(`${server.url}/stock-*.csv`))
    expect(fetched).toMatchObject({ kind: 'file', etag: null })
    expect(await contentOf(fetched)).toBe('stock-2.csv: second')
  })

  test('fetches megabytes as they are', async () => {
    await using server = await startSftpServer()
    const content = Buffer.alloc(3_000_000, Buffer.from(Array.from({ length: 251 }, (_, i) => i)))
    server.files.set('/big.csv', { content, mtime: OLD })
    const fetched = await fetch(sftp(`${server.url}/big.csv`))
    if (fetched.kind !== 'file') throw new Error(JSON.stringify(fetched))
    expect(Buffer.compare(await readFile(fetched.path), content)).toBe(0)
    await rm(fetched.path)
  })

  test('fetches a file whose server exchanges keys anew within it, as servers do after a gigabyte or an hour', async () => {
    await using server = await startSftpServer()
    const content = Buffer.alloc(6_000_000, Buffer.from(Array.from({ length: 251 }, (_, i) => i)))
    server.files.set('/big.csv', { content, mtime: OLD })
    let reads = 0
    server.onRead = () => {
      if (++reads === 40 || reads === 110) server.rekey()
    }
    const fetched = await fetch(sftp(`${server.url}/big.csv`))
    if (fetched.kind !== 'file') throw new Error(JSON.stringify(fetched))
    expect(Buffer.compare(await readFile(fetched.path), content)).toBe(0)
    expect(server.rekeyed).toBe(2)
    await rm(fetched.path)
  })

  test('signs in with a private key, also one with a passphrase', async () => {
    const { private: privateKey, public: publicKey } = generateSshKey({
      passphrase: 'hush phrase',
      cipher: 'aes256-ctr',
      rounds: 1,
    })
    await using server = await startSftpServer({ publicKey })
    server.files.set('/a.csv', { content: 'a', mtime: OLD })
    const url = `${server.url}/a.csv`
    const key = { kind: 'key', username: 'shop', private_key: privateKey, passphrase: 'hush phrase' } as const
    expect(await contentOf(await fetch(sftp(url, { credentials: key })))).toBe('a.csv: a')
    await expect(
      at.add(sftp(url, { credentials: { kind: 'key', username: 'shop', private_key: privateKey } })),
    ).rejects.toThrow(/passphrase is missing or wrong/)
    await expect(at.add(sftp(url, { credentials: { ...key, private_key: publicKey } }))).rejects.toThrow(
      /is a public key/,
    )
    await expect(at.add(sftp(url, { credentials: { ...key, private_key: 'hush' } }))).rejects.toThrow(/^(?!.*hush)/)
  })

  test('keeps the key of the first contact, and refuses another one before the password is sent', async () => {
    const first = await startSftpServer()
    first.files.set('/a.csv', { content: 'a', mtime: OLD })
    const id = await at.add(sftp(`${first.url}/a.csv`))
    await contentOf(await fetchId(id))
    expect((await at.get(id)).hostKey).toBe(first.fingerprint)
    await first[Symbol.asyncDispose]()
    await using second = await startSftpServer({ port: first.port })
    second.files.set('/a.csv', { content: 'evil', mtime: OLD })
    const fetched = await fetchId(id)
    expect(fetched).toMatchObject({ kind: 'failed', fault: 'host_key_changed', isForGood: true })
    expect(JSON.stringify(fetched)).toContain(second.fingerprint)
    expect(second.logins).toEqual([])
    expect((await at.get(id)).hostKey).toBe(first.fingerprint)
  })

  test('refuses a server whose key is not the one that was set, also at the first contact', async () => {
    await using server = await startSftpServer()
    server.files.set('/a.csv', { content: 'a', mtime: OLD })
    const wrong = `SHA256:${'A'.repeat(43)}`
    expect(await fetch(sftp(`${server.url}/a.csv`, { hostKey: wrong }))).toMatchObject({ fault: 'host_key_changed' })
    expect(server.logins).toEqual([])
    await contentOf(await fetch(sftp(`${server.url}/a.csv`, { hostKey: server.fingerprint })))
  })

  test('of a try shows the key and keeps nothing', async () => {
    await using server = await startSftpServer()
    server.files.set('/a.csv', { content: 'sku;cost\nA-1;10\nA-2;11\n', mtime: OLD })
    const before = await at.get(await at.add(sftp(`${server.url}/a.csv`)))
    const found = await trySource({ fetching: at.fetching(), readers }, at.account.accountId, before, never)
    expect(found).toMatchObject({ isOk: true, format: 'csv', bytes: 23, hostKey: server.fingerprint })
    expect(await at.get(before.sourceId)).toEqual(before)
  })

  test.for([
    ['/missing.csv', {}, { fault: 'not_found', isForGood: true }],
    ['/nothing-*.csv', {}, { fault: 'not_found', isForGood: false }],
    ['/none/*.csv', {}, { fault: 'not_found' }],
    ['/out', {}, { fault: 'not_found', isForGood: true }],
    ['/secret.csv', {}, { fault: 'denied', isForGood: true }],
    ['/out/a.csv', { credentials: { ...PASSWORD, password: 'wrong' } }, { fault: 'auth', isForGood: true }],
    ['/out/a.csv', { credentials: null }, { fault: 'auth', isForGood: true }],
  ] as const)('says what is wrong with %s %o', async ([path, over, failure]) => {
    await using server = await startSftpServer()
    server.files.set('/out/a.csv', { content: 'a', mtime: OLD })
    expect(await fetch(sftp(`${server.url}${path}`, over))).toMatchObject({ kind: 'failed', ...failure })
    expect(await readdir(at.directory)).toEqual([])
  })

  test('does not take a file that is written while it is read, one that is too large, or one whose server goes away', async () => {
    await using server = await startSftpServer()
    server.files.set('/a.csv', { content: 'a', mtime: OLD })
    server.onRead = () => server.files.set('/a.csv', { content: 'a', mtime: OLD + 1 })
    expect(await fetch(sftp(`${server.url}/a.csv`))).toMatchObject({ fault: 'being_written', isForGood: false })
    server.onRead = null
    server.files.set('/big.csv', { content: 'x'.repeat(2_000), mtime: OLD })
    expect(await fetch(sftp(`${server.url}/big.csv`), { bounds: { bytesMax: 1_000 } })).toMatchObject({
      fault: 'too_large',
    })
    server.onRead = () => void server[Symbol.asyncDispose]()
    expect(await fetch(sftp(`${server.url}/big.csv`))).toMatchObject({ kind: 'failed', isForGood: false })
    expect(await readdir(at.directory)).toEqual([])
  })

  test('to an address that is not allowed, or to a server of something else, fails with the reason', async () => {
    await using server = await startSftpServer()
    const id = await at.add(sftp(`${server.url}/a.csv`))
    // as if the address had been allowed when the source was created
    await at.database
      .db`update supplier_source set credentials = null, credentials_kind = null, url = ${`sftp://127.0.0.2:${server.port}/a.csv`}
      where account_id = ${at.account.accountId} and source_id = ${id}`
    expect(await fetchId(id)).toMatchObject({ fault: 'blocked_address', isForGood: true })
    await using ftp = await startFtpServer()
    expect(await fetch(sftp(`sftp://127.0.0.1:${ftp.port}/a.csv`), { bounds: { connectMs: 500 } })).toMatchObject({
      kind: 'failed',
    })
  })
})

describe('FTP', () => {
  const ftp = (url: string, over: Partial<NewSource> = {}) =>
    ({ kind: 'ftp', url, credentials: PASSWORD, ...over }) as const

  test.for([
    ['ftp', undefined],
    ['ftps', 'implicit'],
    ['ftpes', 'explicit'],
  ] as const)('%s fetches a file by its path, and by a pattern the newest', async ([protocol, tls]) => {
    await using server = await startFtpServer(tls === undefined ? {} : { tls })
    server.files.set('/out/stock.csv', { content: 'whole', mtime: OLD })
    server.files.set('/out/stock-01.csv', { content: 'x'.repeat(300_000), mtime: OLD + 2 })
    server.files.set('/out/stock-02.csv', { content: 'older', mtime: OLD + 1 })
    server.files.set('/home/mine.csv', { content: 'mine', mtime: OLD })
    const url = `${protocol}://127.0.0.1:${server.port}`
    expect(await contentOf(await fetch(ftp(`${url}/out/stock.csv`)))).toBe('stock.csv: whole')
    expect(await contentOf(await fetch(ftp(`${url}/out/stock-*.csv`)))).toBe(`stock-01.csv: ${'x'.repeat(300_000)}`)
    expect(await contentOf(await fetch(ftp(`${url}/~/mine.csv`)))).toBe('mine.csv: mine')
  })

  test('does not follow the server to another host', async () => {
    await using server = await startFtpServer({ passiveHost: '10.0.0.1' })
    server.files.set('/a.csv', { content: 'a', mtime: OLD })
    expect(await fetch(ftp(`ftp://127.0.0.1:${server.port}/a.csv`))).toMatchObject({
      fault: 'other_host',
      isForGood: true,
    })
    expect(server.commands).not.toContain('RETR /a.csv')
  })

  test('asks a server without TLS for no password when the URL wants TLS', async () => {
    await using server = await startFtpServer()
    expect(await fetch(ftp(`ftpes://127.0.0.1:${server.port}/a.csv`))).toMatchObject({ kind: 'failed' })
    expect(server.commands.filter((command) => /USER|PASS/.test(command))).toEqual([])
  })

  test('says what is wrong', async () => {
    await using server = await startFtpServer()
    server.files.set('/a.csv', { content: 'aaaa', mtime: OLD })
    const url = `ftp://127.0.0.1:${server.port}`
    expect(await fetch(ftp(`${url}/b.csv`))).toMatchObject({ fault: 'not_found', isForGood: true })
    expect(await fetch(ftp(`${url}/a.csv`, { credentials: null }))).toMatchObject({ fault: 'auth' })
    expect(await fetch(ftp(`${url}/a.csv`), { bounds: { bytesMax: 3 } })).toMatchObject({ fault: 'too_large' })
    await using cutting = await startFtpServer({ cutAfter: 2 })
    cutting.files.set('/a.csv', { content: 'aaaa', mtime: OLD })
    expect(await fetch(ftp(`ftp://127.0.0.1:${cutting.port}/a.csv`))).toMatchObject({
      kind: 'failed',
      isForGood: false,
    })
    expect(await readdir(at.directory)).toEqual([])
  })

  test('refuses a listing that is too long, with that reason', async () => {
    await using server = await startFtpServer()
    for (let i = 0; i < 10; i++) server.files.set(`/${i}.csv`, { content: 'a', mtime: OLD })
    const { sourceListingBytesMax } = LIMITS
    Object.assign(LIMITS, { sourceListingBytesMax: 200 })
    try {
      expect(await fetch(ftp(`ftp://127.0.0.1:${server.port}/*.csv`))).toMatchObject({
        kind: 'failed',
        fault: 'too_many_files',
        detail: expect.stringContaining('more than 200 bytes'),
      })
    } finally {
      Object.assign(LIMITS, { sourceListingBytesMax })
    }
    expect(await contentOf(await fetch(ftp(`ftp://127.0.0.1:${server.port}/*.csv`)))).toBe('9.csv: a')
  })
})

describe('a directory', () => {
  const write = async (path: string, content: string, ageSeconds = 3_600) => {
    await writeFile(join(at.importDir, path), content)
    const then = Date.now() / 1_000 - ageSeconds
    await utimes(join(at.importDir, path), then, then)
  }
  const from = (path: string) => ({ kind: 'directory', path }) as const

  test('gives a file by its path, and by a pattern the newest; the same one is known', async () => {
    await mkdir(join(at.importDir, 'north'))
    await write('north/a.csv', 'a', 60)
    await write('north/b.csv', 'b', 120)
    expect(await contentOf(await fetch(from('north/b.csv')))).toBe('b.csv: b')
    expect(await contentOf(await fetch(from('north/*.csv')))).toBe('a.csv: a')
    expect(await fetch(from('north/c.csv'))).toMatchObject({ fault: 'not_found' })
    expect(await fetch(from('south/*.csv'))).toMatchObject({ fault: 'not_found' })
    expect(await fetch(from('north'))).toMatchObject({ fault: 'not_found' })
    expect(await fetch(from('north/a.csv'), { importDir: null })).toMatchObject({ fault: 'directory', isForGood: true })
  })

  test('gives a file whose time is the beginning of 1970, as archives that can be built again have it', async () => {
    await write('reproducible.csv', 'a')
    await utimes(join(at.importDir, 'reproducible.csv'), 0, 0)
    const fetched = await fetch(from('reproducible.csv'))
    expect(fetched).toMatchObject({ kind: 'file', etag: null })
    expect(await contentOf(fetched)).toBe('reproducible.csv: a')
  })

  test('gives nothing outside of it, whatever links lead there', async () => {
    const outside = `${at.importDir}-outside`
    await mkdir(outside)
    try {
      await writeFile(join(outside, 'secret.csv'), 'secret')
      await utimes(join(outside, 'secret.csv'), 1_000, 1_000)
      await symlink(outside, join(at.importDir, 'link'))
      await symlink(join(outside, 'secret.csv'), join(at.importDir, 'linked.csv'))
      expect(await fetch(from('link/secret.csv'))).toMatchObject({ fault: 'outside', isForGood: true })
      expect(await fetch(from('link/*.csv'))).toMatchObject({ fault: 'outside' })
      expect(await fetch(from('linked.csv'))).toMatchObject({ fault: 'outside' })
      // a directory whose name only starts with that of the allowed one
      await symlink(join(outside, 'secret.csv'), join(at.importDir, 'linked-2.csv'))
      expect(await fetch(from('linked-*.csv'))).toMatchObject({ fault: 'outside' })
      // as if the source had been created before paths were validated
      const id = await at.add(from('a.csv'))
      await at.database
        .db`update supplier_source set path = '../secret.csv' where account_id = ${at.account.accountId} and source_id = ${id}`
      expect(await fetchId(id)).toMatchObject({ fault: 'directory' })
    } finally {
      await rm(outside, { recursive: true })
    }
  })

  test('waits for a file that is still being written', async () => {
    await writeFile(join(at.importDir, 'growing.csv'), 'one\n')
    const id = await at.add(from('growing.csv'))
    const fetching = fetchId(id, { restMs: 600 })
    const growing = ['two\n', 'three\n'].entries()
    for (const [i, part] of growing) {
      await new Promise((resolve) => setTimeout(resolve, 200 * (i + 1)))
      await writeFile(join(at.importDir, 'growing.csv'), part, { flag: 'a' })
    }
    expect(await contentOf(await fetching)).toBe('growing.csv: one\ntwo\nthree\n')
  })

  test('takes a file whose time is in the future once it stays as it is, and one that replaces another', async () => {
    await write('future.csv', 'a', -86_400)
    expect(await contentOf(await fetch(from('future.csv'), { restMs: 300 }))).toBe('future.csv: a')
    await write('next.tmp', 'b')
    await rename(join(at.importDir, 'next.tmp'), join(at.importDir, 'future.csv'))
    expect(await contentOf(await fetch(from('future.csv')))).toBe('future.csv: b')
  })

  test('is no longer waited for when the process ends', async () => {
    await writeFile(join(at.importDir, 'growing.csv'), 'one\n')
    const ending = new AbortController()
    const fetching = fetchId(await at.add(from('growing.csv')), { restMs: 60_000 }, ending.signal)
    setTimeout(() => ending.abort(new Error('the process ends')), 50)
    await expect(fetching).rejects.toThrow('the process ends')
  })
})
