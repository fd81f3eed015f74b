import { spawnSync } from 'node:child_process'
import process from 'node:process'
import { expect, test } from 'vitest'

const SCRIPT = `
  import { openSync, closeSync } from 'node:fs'
  import { openFileReaders } from ${JSON.stringify(import.meta.resolve('../../file-readers/readers.ts'))}
  import { MIRROR_LANE, openDecoders } from ${JSON.stringify(import.meta.resolve('../../images/decode/decoders.ts'))}
  import { openKeys } from ${JSON.stringify(import.meta.resolve('../../imports/ssh/keys.ts'))}
  import { silentLog } from ${JSON.stringify(import.meta.resolve('../log.ts'))}
  const logged = []
  const log = { ...silentLog, error: ({ err }) => void logged.push(err.code) }
  const readers = openFileReaders(log)
  const keys = openKeys(log)
  const decoders = openDecoders(MIRROR_LANE, log)
  async function* bytes() {
    yield Buffer.from('sku,cost\\nA,1\\n')
  }
  const shown = (error) => [error.code, error.retryAfterSeconds]
  const look = () => readers.detect(bytes(), { accountId: 1 }).then((found) => found.mapping.format, shown)
  const key = () => keys.tryKey(1, { privateKey: 'none', passphrase: null }).catch(shown)
  const picture = () => decoders.run({ kind: 'inspect', file: '/dev/null', type: 'image/png' }, { key: 1 }).then(({ reason }) => reason, shown)
  const held = []
  try {
    for (;;) held.push(openSync('/dev/null'))
  } catch {}
  const without = [await look(), await key(), await picture(), readers.count]
  for (const descriptor of held) closeSync(descriptor)
  const later = [await look(), await picture()]
  await readers.close()
  await decoders.close()
  process.stdout.write(JSON.stringify({ without, logged, later }))
`

test('a process that cannot be started for want of descriptors is refused and costs nothing else', () => {
  const limited = 'ulimit -n 100; exec "$0" --input-type=module --eval "$1"'
  const { stdout, stderr } = spawnSync('sh', ['-c', limited, process.execPath, SCRIPT], { encoding: 'utf8' })
  expect(stderr).toBe('')
  expect(JSON.parse(stdout)).toEqual({
    without: [['rate-limited', 5], ['rate-limited', 5], ['rate-limited', 5], 0],
    logged: ['EMFILE', 'EMFILE', 'EMFILE'],
    later: ['csv', 'unreadable_image'],
  })
})

/** Every process ends before its program has started, as one whose program is not there. */
const WITHOUT_PROGRAM = `
  import { openFileReaders } from ${JSON.stringify(import.meta.resolve('../../file-readers/readers.ts'))}
  import { MIRROR_LANE, openDecoders } from ${JSON.stringify(import.meta.resolve('../../images/decode/decoders.ts'))}
  import { openKeys } from ${JSON.stringify(import.meta.resolve('../../imports/ssh/keys.ts'))}
  import { silentLog } from ${JSON.stringify(import.meta.resolve('../log.ts'))}
  process.execPath = '/bin/false'
  const readers = openFileReaders(silentLog)
  const decoders = openDecoders(MIRROR_LANE, silentLog)
  const keys = openKeys(silentLog)
  async function* bytes() {
    yield Buffer.from('sku,cost\\nA,1\\n')
  }
  const mapping = { format: 'csv', fields: { sku: { column: 'sku' } } }
  const shown = ({ code, name, message }) => code ?? name + ': ' + message
  const failures = [
    await readers.detect(bytes(), { accountId: 1 }).catch(shown),
    await readers.pages(bytes(), mapping, {}).next().catch(shown),
    await decoders.run({ kind: 'inspect', file: '/dev/null', type: 'image/png' }, { key: 1 }).catch(shown),
    await keys.tryKey(1, { privateKey: 'none', passphrase: null }).catch(shown),
    readers.count,
  ]
  await readers.close()
  await decoders.close()
  process.stdout.write(JSON.stringify(failures))
`

test('a file, a picture or a private key is not blamed because the program that reads it cannot be started', () => {
  const { stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '--eval', WITHOUT_PROGRAM], {
    encoding: 'utf8',
  })
  expect(stderr).toBe('')
  expect(JSON.parse(stdout)).toEqual([
    'rate-limited',
    'rate-limited',
    'Error: a decoding process ended before it had started: code 1',
    'rate-limited',
    0,
  ])
})
