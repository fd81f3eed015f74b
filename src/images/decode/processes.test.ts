import { expect, test, vi } from 'vitest'
import { silentLog } from '../../platform/log.ts'
import { MIRROR_LANE, openDecoders } from './decoders.ts'

vi.mock('../../platform/process/package.ts', () => ({ programFile: () => '/none/image-decoder.mjs' }))

test('a picture is not called unreadable because the program that decodes it cannot be started', async () => {
  const decoders = openDecoders(MIRROR_LANE, silentLog)
  try {
    const decoded = decoders.run({ kind: 'inspect', file: '/dev/null', type: 'image/png' }, { key: 1 })
    await expect(decoded).rejects.toThrow('a decoding process ended before it had started: code 1')
  } finally {
    await decoders.close()
  }
})
