import { expect, test } from 'vitest'
import {
  editAttributeDefinition,
  type NewAttributeDefinition,
  setAttributeDefinitions,
} from '../../src/catalog/settings/content/attribute-definitions.ts'
import { inTransaction } from '../../src/db/sql.ts'
import { defaultLimits, setDefaultLimits } from '../../src/platform/limits/account-limits.ts'
import { LIMITS } from '../../src/platform/limits.ts'
import { createAccount } from '../harness/account.ts'
import { refusalText } from '../harness/refusal.ts'
import { client, tokenFor } from '../harness/service.ts'
import { worldOfFile } from '../harness/world.ts'

// The budget of attribute definitions of an account, and that they are read in parts, because together they may be large.

const { database, service } = worldOfFile({ service: {} })

const defined = (key: string, text: string): NewAttributeDefinition => ({
  key,
  unit: null,
  position: 0,
  labels: {},
  options: { red: { en: text } },
})

async function withAttributes(name: string) {
  const { accountId } = await createAccount(service.runtime, name)
  const { db } = database
  return {
    accountId,
    set: (...definitions: NewAttributeDefinition[]) =>
      inTransaction(db, (tx) => setAttributeDefinitions(tx, accountId, definitions)),
    edit: (key: string, text: string | null) =>
      inTransaction(db, (tx) => editAttributeDefinition(tx, accountId, key, { options: { red: { en: text } } })),
    http: client(service.url, await tokenFor(service.runtime, accountId, 'full')),
  }
}

test('beyond the account’s budget are refused; what takes no more is not, and no other account pays for it (I159)', async () => {
  const account = await withAttributes('attribute budget')
  await account.set(defined('a', 'x'.repeat(150)), defined('b', 'x'.repeat(150)))
  setDefaultLimits(defaultLimits(0, { attribute_bytes: 300 }))
  try {
    // the new limit is below the present use: the definitions stay, but cannot grow
    expect(await refusalText(account.set(defined('c', 'x')))).toMatch(
      /^quota-exceeded: .*attribute_bytes.* of 300 bytes/,
    )
    expect(await refusalText(account.edit('a', 'x'.repeat(151)))).toMatch(/^quota-exceeded/)
    await account.edit('a', 'y'.repeat(150))
    // one grows and one shrinks: together they use no more than before
    await account.set(defined('a', 'x'.repeat(120)), defined('b', 'x'.repeat(180)))
    await account.edit('b', 'x'.repeat(20))
    await account.set(defined('c', 'x'))
    const beside = await withAttributes('beside the budget')
    await beside.set(defined('a', 'x'.repeat(200)))
  } finally {
    setDefaultLimits(defaultLimits(0, {}))
  }
})

test('a definition has a limit of its size, which edits must not exceed either', async () => {
  const { attributeDefinitionBytesMax: most } = LIMITS
  const account = await withAttributes('attribute size')
  await account.set(defined('a', 'x'.repeat(150)))
  Object.assign(LIMITS, { attributeDefinitionBytesMax: 100 })
  try {
    expect(await refusalText(account.edit('a', 'x'.repeat(151)))).toMatch(
      /^invalid-input: .*options must be at most 100 bytes/,
    )
    expect(await refusalText(account.set(defined('b', 'x'.repeat(100))))).toMatch(/^invalid-input/)
    await account.edit('a', 'x'.repeat(150).replace('x', 'y'))
    await account.set(defined('b', 'x'.repeat(50)))
  } finally {
    Object.assign(LIMITS, { attributeDefinitionBytesMax: most })
  }
})

test('one definition is read without the others, and a page of large ones ends early', async () => {
  const account = await withAttributes('attribute pages')
  const keys = ['B', 'a', 'b', 'z\u{1f40c}', 'ä']
  await account.set(...keys.map((key) => defined(key, `${key}${'x'.repeat(150)}`)))
  const { attributePageBytes: most } = LIMITS
  const statements: string[] = []
  database.db.onStatement = (text) => void statements.push(text)
  service.runtime.db.onStatement = (text) => void statements.push(text)
  Object.assign(LIMITS, { attributePageBytes: 250 })
  try {
    const read: string[] = []
    const sizes: number[] = []
    for (let after: string | null = ''; after !== null;) {
      const { status, body } = await account.http(
        `/v1/account/attributes?per_page=4${after === '' ? '' : `&after=${encodeURIComponent(after)}`}`,
      )
      expect([status, body.meta]).toMatchObject([200, { total: 5, per_page: 4 }])
      const rows = body.data as { key: string }[]
      read.push(...rows.map(({ key }) => key))
      sizes.push(rows.length)
      after = (body.meta as { next_after: string | null }).next_after
    }
    expect([read, sizes]).toEqual([keys, [2, 2, 1]])
    statements.length = 0
    for (const key of ['a', 'no', 'a\0'])
      expect((await account.http(`/v1/account/attributes/${encodeURIComponent(key)}`)).status).toBe(
        key === 'a' ? 200 : 404,
      )
    expect((await account.http('/v1/account/attributes?after=a%00b')).body.data).toMatchObject([{ key: 'b' }, {}])
    const alone = statements.filter((text) => text.includes('from attribute_definition'))
    expect(alone.filter((text) => !/\bkey = |count\(/.test(text))).toEqual([])
    expect(alone.length).toBeGreaterThan(2)
  } finally {
    Object.assign(LIMITS, { attributePageBytes: most })
    database.db.onStatement = null
    service.runtime.db.onStatement = null
  }
})
