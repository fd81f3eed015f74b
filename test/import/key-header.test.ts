import { generateKeyPairSync } from 'node:crypto'
import ssh2 from 'ssh2'
import { describe, expect, test } from 'vitest'
import { keyHeaderFault } from '../../src/imports/ssh/key-header.ts'
import { LIMITS } from '../../src/platform/limits.ts'
import { keyOfRounds } from './ssh-keys.ts'

describe('the header of a private key', () => {
  test.for([
    [24, /^no fault$/],
    [LIMITS.sourceKeyRoundsMax, /^no fault$/],
    [LIMITS.sourceKeyRoundsMax + 1, /257 rounds, and at most 256/],
    [4_294_967_295, /4294967295 rounds/],
  ] as const)('says by how many rounds it is encrypted (I178): %s', ([rounds, fault]) => {
    const found = keyHeaderFault(keyOfRounds(rounds))
    expect(found ?? 'no fault').toMatch(fault)
    // with the line breaks that copying may leave
    const lines = keyOfRounds(rounds)
      .replaceAll('\n', '\r\n')
      .replaceAll(/.{70}(?=.{30})/g, '$&\r\n')
    expect(keyHeaderFault(`\n  ${lines}  \n`)).toBe(found)
  })

  test('names another function, or ends within it', () => {
    expect(keyHeaderFault(keyOfRounds(1, 'argon2'))).toMatch(/in a form that cannot be opened/)
    const [first, middle = '', last] = keyOfRounds(24).split('\n')
    for (let length = 0; length < 80; length += 4)
      expect(keyHeaderFault([first, middle.slice(0, length), last].join('\n'))).toMatch(/not a whole private key/)
  })

  test('of keys without a passphrase, and of those in other forms, has no fault', () => {
    const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2_048 })
    const pem = privateKey.export({ type: 'pkcs1', format: 'pem', cipher: 'aes-256-cbc', passphrase: 'hush' })
    expect(keyHeaderFault(String(pem))).toBeNull()
    expect(keyHeaderFault(ssh2.utils.generateKeyPairSync('ed25519').private)).toBeNull()
    const options = { passphrase: 'hush', cipher: 'aes256-ctr', rounds: 2 }
    expect(keyHeaderFault(ssh2.utils.generateKeyPairSync('ed25519', options).private)).toBeNull()
    expect(keyHeaderFault('no key')).toBeNull()
  })
})
