import { createServer, type AddressInfo, type Socket } from 'node:net'
import { randomBytes } from 'node:crypto'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import process from 'node:process'
import ssh2 from 'ssh2'
import { afterEach, describe, expect, test, vi } from 'vitest'
import type { GivenCredentials } from '../../src/imports/sources/credentials.ts'
import { editSource, type NewSource } from '../../src/imports/sources/edit-sources.ts'
import { LIMITS } from '../../src/platform/limits.ts'
import { inTransaction } from '../../src/db/sql.ts'
import { ofFile } from '../harness/world.ts'
import { startSftpServer } from './sftp-server.ts'
import { keyOfRounds } from './ssh-keys.ts'
import { openSourcesBench } from './sources-bench.ts'

// SSH keys and servers that make their client compute for a long time.

const at = ofFile(openSourcesBench)
const PASSWORD = { kind: 'password', username: 'shop', password: 'hush' } as const
const before = { ...LIMITS }
afterEach(() => void Object.assign(LIMITS, before))

const sftp = (url: string, rest: Partial<NewSource> = {}): Partial<NewSource> => ({
  kind: 'sftp',
  url,
  credentials: PASSWORD,
  ...rest,
})
const keyed = (privateKey: string) =>
  ({ kind: 'key', username: 'shop', private_key: privateKey, passphrase: 'hush phrase' }) as const

/** The longest time in ms for which `work` blocked this process. */
async function longestTurn(work: () => Promise<unknown>): Promise<number> {
  using delay = watched()
  await work()
  return delay.max()
}
function watched() {
  const delay = monitorEventLoopDelay({ resolution: 5 })
  delay.enable()
  return { max: () => delay.max / 1e6, [Symbol.dispose]: () => delay.disable() }
}

/** A TCP server on loopback with this listener. */
async function startServer(listener: (socket: Socket) => void) {
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on('error', () => {})
    listener(socket)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `sftp://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

const text = (value: string | Buffer): Buffer => {
  const bytes = Buffer.from(value)
  const length = Buffer.alloc(4)
  length.writeUInt32BE(bytes.length)
  return Buffer.concat([length, bytes])
}
/** An unencrypted SSH packet. */
const packet = (payload: Buffer): Buffer => {
  const padding = 16 - ((5 + payload.length) % 8)
  const head = Buffer.alloc(5)
  head.writeUInt32BE(1 + payload.length + padding)
  head[4] = padding
  return Buffer.concat([head, payload, Buffer.alloc(padding)])
}
const KEXINIT = 20

describe('a private key', () => {
  test('is tried beside everything else, and given up when that takes too long (I178)', { retry: 2 }, async () => {
    const slow = keyed(keyOfRounds(LIMITS.sourceKeyRoundsMax))
    const turn = await longestTurn(() =>
      expect(at.add(sftp('sftp://127.0.0.1:65022/a.csv', { credentials: keyed(keyOfRounds(24)) }))).rejects.toThrow(
        /passphrase is missing or wrong/,
      ),
    )
    // trying such a key takes at least 400 ms
    expect(turn).toBeLessThan(300)
    Object.assign(LIMITS, { sourceKeyMs: 700 })
    await expect(at.add(sftp('sftp://127.0.0.1:65022/a.csv', { credentials: slow }))).rejects.toThrow(
      /takes longer than 0\.7 s to be opened/,
    )
  })

  test('is not tried in a transaction, and not at all when it states too many rounds (I178)', async () => {
    const id = await at.add(sftp('sftp://127.0.0.1:65022/a.csv'))
    const row = await at.get(id)
    const edit = (credentials: GivenCredentials) =>
      inTransaction(at.database.db, (tx) => editSource(tx, at.account.accountId, row, { credentials }, at.rules))
    await expect(edit(keyed(keyOfRounds(24)))).rejects.toThrow(/tried before the transaction/)
    await expect(
      at.add(sftp('sftp://127.0.0.1:65022/a.csv', { credentials: keyed(keyOfRounds(4_294_967_295)) })),
    ).rejects.toThrow(/4294967295 rounds/)
  })

  test('that was stored before rounds were limited is refused when its source is fetched', async () => {
    await using server = await startSftpServer()
    Object.assign(LIMITS, { sourceKeyRoundsMax: 1_000_000 })
    const { tryKey } = at.rules.keys
    vi.spyOn(at.rules.keys, 'tryKey').mockImplementation(async (_, key) => ({ ...key, fault: null }))
    const id = await at.add(sftp(`${server.url}/a.csv`, { credentials: keyed(keyOfRounds(100_000)) }))
    at.rules.keys.tryKey = tryKey
    Object.assign(LIMITS, before)
    const fetched = await at.fetching().fetchSource(at.account.accountId, id, new AbortController().signal, () => {})
    expect(fetched).toMatchObject({ kind: 'failed', fault: 'auth', isForGood: true })
    expect(JSON.stringify(fetched)).toMatch(/100000 rounds/)
  })
})

test('neither a key nor a server is blamed because the program that speaks SSH cannot be started (I178)', async () => {
  await using server = await startSftpServer()
  const { private: privateKey } = ssh2.utils.generateKeyPairSync('ed25519')
  const id = await at.add(sftp(`${server.url}/a.csv`, { credentials: keyed(privateKey) }))
  const { execPath } = process
  // several times, because the pipe breaks in several ways
  for (const program of ['/bin/false', '/bin/true', '/bin/false'])
    try {
      process.execPath = program
      await expect(at.add(sftp(`${server.url}/a.csv`, { credentials: keyed(privateKey) }))).rejects.toMatchObject({
        code: 'rate-limited',
        retryAfterSeconds: 5,
      })
      const fetched = at.fetching().fetchSource(at.account.accountId, id, new AbortController().signal, () => {})
      await expect(fetched).rejects.toMatchObject({ code: 'rate-limited' })
    } finally {
      process.execPath = execPath
    }
})

describe('an SFTP server', () => {
  const fetch = async (source: Partial<NewSource>, bounds = {}) =>
    at
      .fetching({ bounds })
      .fetchSource(at.account.accountId, await at.add(source), new AbortController().signal, () => {})

  test('chooses no group of Diffie-Hellman, and compresses nothing (I178)', async () => {
    const offered: string[][] = []
    await using server = await startServer((socket) => {
      socket.write('SSH-2.0-OpenSSH_9.0\r\n')
      const lists = [
        'diffie-hellman-group-exchange-sha256',
        'ssh-ed25519',
        'aes128-ctr',
        'aes128-ctr',
        'hmac-sha2-256',
        'hmac-sha2-256',
        'none',
        'none',
        '',
        '',
      ]
      socket.write(
        packet(Buffer.concat([Buffer.from([KEXINIT]), randomBytes(16), ...lists.map(text), Buffer.alloc(5)])),
      )
      let got = Buffer.alloc(0)
      socket.on('data', (chunk) => {
        got = Buffer.concat([got, chunk])
        const from = got.indexOf('\n') + 1
        if (from === 0 || got.length < from + 4 || got.length < from + 4 + got.readUInt32BE(from)) return
        // after the packet's length, the padding's length, the message type and a cookie
        let place = from + 4 + 1 + 1 + 16
        for (const list of offered.length > 0 ? [] : lists) {
          void list
          const length = got.readUInt32BE(place)
          offered.push(got.toString('latin1', place + 4, place + 4 + length).split(','))
          place += 4 + length
        }
      })
    })
    expect(await fetch(sftp(`${server.url}/a.csv`))).toMatchObject({ kind: 'failed', fault: 'protocol' })
    expect(offered[0]).toContain('curve25519-sha256')
    expect(offered[0]?.filter((name) => /group-exchange|sha1$/.test(name))).toEqual([])
    expect(offered.slice(6, 8)).toEqual([['none'], ['none']])
  })

  test('that asks for one signature after the other keeps nobody else, and is given up', { retry: 2 }, async () => {
    const { private: privateKey } = ssh2.utils.generateKeyPairSync('rsa', { bits: 4_096 })
    let isAsked = false
    let isOver = false
    const host = ssh2.utils.generateKeyPairSync('ecdsa', { bits: 256 }).private
    const server = new ssh2.Server({ hostKeys: [host] }, (client) => {
      client.on('error', () => {})
      client.on('close', () => void (isOver = true))
      client.on('authentication', (context) => {
        if (context.method !== 'publickey') return context.reject(['publickey'])
        if (context.signature !== undefined) return undefined
        // an answer that accepts a key without a signature asks for one
        const { _protocol: protocol } = client as unknown as {
          _protocol: { _authsQueue: string[]; authPKOK(algorithm: string, key: Buffer): void }
        }
        // in parts, so that the server does not block the measured process itself
        const ask = (left: number): void => {
          for (let i = 0; i < 100; i++) {
            protocol._authsQueue.unshift('publickey')
            protocol.authPKOK('ssh-rsa', context.key.data)
          }
          if (left > 100 && !isOver) setImmediate(ask, left - 100)
        }
        ask(20_000)
        isAsked = true
        return undefined
      })
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const { port } = server.address() as AddressInfo
    try {
      const started = performance.now()
      let fetched: unknown
      const turn = await longestTurn(async () => {
        const id = await at.add(sftp(`sftp://127.0.0.1:${port}/a.csv`, { credentials: keyed(privateKey) }))
        fetched = await at
          .fetching({ bounds: { connectMs: 1_500 } })
          .fetchSource(at.account.accountId, id, new AbortController().signal, () => {})
      })
      expect(fetched).toMatchObject({ kind: 'failed', fault: 'timeout' })
      expect(isAsked).toBe(true)
      expect(turn).toBeLessThan(1_000)
      // computing all requested signatures would take more than a minute
      expect(performance.now() - started).toBeLessThan(30_000)
    } finally {
      await new Promise((resolve) => server.close(resolve))
    }
  })
})
