import { beforeEach, describe, expect, test } from 'vitest'
import { inTransaction } from '../../src/db/sql.ts'
import { deleteSource, editSource, type SourceChanges } from '../../src/imports/sources/edit-sources.ts'
import { hostKeyPin, sourceSchedule } from '../../src/imports/sources/sources.sql.ts'
import { MAPPING, openSourcesBench } from './sources-bench.ts'
import { fateOf, hold } from '../harness/interleave.ts'
import { ofFile } from '../harness/world.ts'
import { refusalText } from '../harness/refusal.ts'

// Settings of sources: refused input, and the handling of credentials.

const at = ofFile(openSourcesBench)
beforeEach(() => at.database.db`delete from supplier_source where account_id = ${at.account.accountId}`)

const URL_ = 'https://files.example/stock.csv'
const edit = async (id: number, changes: SourceChanges) =>
  inTransaction(at.database.db, async (t) => editSource(t, at.account.accountId, await at.get(id), changes, at.rules))

describe('what changes between the read of a source and its edit stays', () => {
  const held = (sourceId: number, changes: SourceChanges) =>
    hold(at.database.db, async (tx) => {
      const row = await at.get(sourceId)
      return editSource(tx, at.account.accountId, row, changes, at.rules)
    })

  test('when another edit has set another member', async () => {
    const id = await at.add({ url: URL_ })
    await using first = await held(id, { url: `${URL_}?page=2`, mode: 'full' })
    const second = edit(id, { everyMinutes: 60 })
    expect(await fateOf(at.database, second)).toBe('blocked')
    await first.commit()
    await second
    expect(await at.get(id)).toMatchObject({ url: `${URL_}?page=2`, mode: 'full', everyMinutes: 60 })
  })

  test('when a run has stored the key of an SFTP server, or the time of the next try', async () => {
    const { accountId } = at.account
    const credentials = { kind: 'password', username: 'shop', password: 'hush' } as const
    const id = await at.add({ kind: 'sftp', url: 'sftp://files.example/stock.csv', credentials, everyMinutes: 60 })
    const read = await at.get(id)
    const hostKey = `SHA256:${'A'.repeat(43)}`
    const retryAt = new Date(Date.now() + 60_000)
    await inTransaction(at.database.db, async (tx) => {
      expect(await hostKeyPin(tx, accountId, read, hostKey)).toBe(true)
      await sourceSchedule(tx, accountId, id, retryAt, null)
    })
    await inTransaction(at.database.db, (tx) => editSource(tx, accountId, read, { mode: 'full' }, at.rules))
    expect(await at.get(id)).toMatchObject({ hostKey, nextRunAt: retryAt, mode: 'full' })
  })

  test('and one that was deleted is not found', async () => {
    const id = await at.add({ url: URL_ })
    const read = await at.get(id)
    await inTransaction(at.database.db, (tx) => deleteSource(tx, at.account.accountId, id))
    const late = inTransaction(at.database.db, (tx) =>
      editSource(tx, at.account.accountId, read, { mode: 'full' }, at.rules),
    )
    await expect(late).rejects.toMatchObject({ code: 'unknown-reference' })
  })
})

describe('credentials', () => {
  const secret = { kind: 'basic', username: 'shop', password: 'hush-password' } as const
  const stored = async (id: number) => (await at.get(id)).credentials

  test('are sealed, kept by an edit of something else, and forgotten when the URL leads to another server', async () => {
    const id = await at.add({ url: URL_, credentials: secret })
    const sealed = await stored(id)
    expect(sealed).toMatch(/^v1\./)
    await edit(id, { url: `${URL_}?page=2`, mode: 'delta' })
    expect(await stored(id)).toBe(sealed)
    await edit(id, { credentials: { kind: 'basic' } })
    expect(await stored(id)).toBe(sealed)
    for (const url of [
      'https://files2.example/stock.csv',
      'http://files.example/stock.csv',
      'https://files.example:8443/stock.csv',
    ]) {
      await edit(id, { url })
      expect([await stored(id), (await at.get(id)).credentialsKind]).toEqual([null, null])
      await edit(id, { url: URL_, credentials: secret })
    }
    await edit(id, { credentials: null })
    expect(await stored(id)).toBeNull()
  })

  test('are not taken along by their kind alone', async () => {
    const id = await at.add({ url: URL_, credentials: secret })
    expect(await refusalText(edit(id, { url: 'https://evil.example/', credentials: { kind: 'basic' } }))).toMatch(
      /credentials must be sent again in full/,
    )
    expect(await refusalText(edit(id, { credentials: { kind: 'bearer' } }))).toMatch(/credentials\.token is required/)
    expect(await refusalText(at.add({ url: URL_, credentials: { kind: 'basic' } }))).toMatch(
      /credentials\.username is required/,
    )
  })

  test.for([
    [{ kind: 'password', username: 'a', password: 'b' }, /credentials\.kind must be basic or bearer or header/],
    [{ kind: 'basic', username: 'a:b', password: 'hush' }, /must not contain a colon/],
    [{ kind: 'basic', username: 'a', password: 'hu\nsh' }, /must not contain control characters/],
    [{ kind: 'bearer', token: 'hüsh' }, /must be ASCII/],
    [{ kind: 'bearer', token: 'hush', username: 'a' }, /has no meaning with the kind bearer/],
    [{ kind: 'header', name: 'Host', value: 'hush' }, /must not be a header that requests have anyway/],
    [{ kind: 'header', name: 'X Key', value: 'hush' }, /must be the name of a header/],
    [{ kind: 'header', name: 'X-Key', value: 'a\r\nX-Evil: hush' }, /must not contain control characters/],
  ] as const)('%o are refused without being repeated', async ([credentials, reason]) => {
    const refused = await refusalText(at.add({ url: URL_, credentials }))
    expect(refused).toMatch(reason)
    expect(refused).not.toMatch(/hush|hüsh/)
  })
})

describe('a source is refused', () => {
  test.for([
    [{ url: null }, /url is required/],
    [{ url: 'ftp://files.example/a' }, /url must start with https/],
    [{ url: 'http://10.0.0.1/a' }, /url must lead to a public address/],
    [{ url: 'https://user:hush@files.example/a' }, /url must not contain a user name/],
    [{ kind: 'sftp', url: 'sftp://user:hush@files.example/a' }, /user name or password: send them as credentials/],
    [{ kind: 'sftp', url: 'sftp://169.254.169.254/a' }, /url must lead to a public address/],
    [{ kind: 'sftp', url: 'sftp://files.example/out/' }, /must end with the name of a file/],
    [{ kind: 'sftp', url: 'sftp://files.example/*/a.csv' }, /in the name of the file only/],
    [{ kind: 'sftp', url: 'sftp://files.example/a/../../b' }, /must not contain \.\./],
    [{ kind: 'sftp', url: 'sftp://files.example:25/a' }, /must use port 22/],
    [{ kind: 'sftp', url: 'sftp://files.example/a', hostKey: 'MD5:ab' }, /host_key must be a fingerprint/],
    [{ kind: 'ftp', url: 'sftp://files.example/a' }, /must start with ftp:\/\/ or ftps:\/\/ or ftpes:\/\//],
    [{ kind: 'directory', path: '../etc/passwd' }, /path must not contain \. or \.\./],
    [{ kind: 'directory', path: '/etc/passwd' }, /path must be relative/],
    [{ kind: 'directory', path: 'a/*/b.csv' }, /in the name of the file only/],
    [{ kind: 'directory' }, /path is required/],
    [{ kind: 'upload', everyMinutes: 30 }, /every_minutes has no meaning/],
    [{ kind: 'upload', url: URL_ }, /url has no meaning/],
    [{ url: URL_, everyMinutes: 1 }, /every_minutes must be/],
    [{ url: URL_, everyMinutes: 30, cron: '0 5 * * *' }, /must not be set beside cron/],
    [{ url: URL_, cron: '0 5 * * *', timeZone: 'Mars/Olympus' }, /time_zone must be an IANA/],
    [{ url: URL_, mapping: { fields: {} } }, /mapping\.fields\.sku is required/],
    [{ url: URL_, mapping: { preset: 'nope' } }, /there is no preset "nope"/],
    [{ url: URL_, mapping: { preset: 'woocommerce', fields: { cost: { colum: 'x' } } } }, /mapping\.fields\.cost/],
    [{ url: URL_, mapping: { ...MAPPING, fields: { sku: { constant: '\0' } } } }, /NUL/],
  ] as const)('%o', async ([source, reason]) => {
    const refused = await refusalText(at.add(source))
    expect(refused).toMatch(reason)
    expect(refused).not.toContain('hush')
  })

  test('when the supplier has an active full source already, also when both are made at once', async () => {
    const full = await at.add({ url: URL_, mode: 'full' })
    expect(await refusalText(at.add({ url: URL_, mode: 'full' }))).toMatch(
      /^conflict: the supplier has an active full source already/,
    )
    const delta = await at.add({ url: URL_ })
    expect(await refusalText(edit(delta, { mode: 'full' }))).toMatch(/^conflict: .*set each other’s offers to 0/)
    const paused = await at.add({ url: URL_, mode: 'full', isActive: false })
    expect(await refusalText(edit(paused, { isActive: true }))).toMatch(/^conflict: /)
    await edit(full, { isActive: false })
    await edit(paused, { isActive: true })
    await at.add({ url: URL_, mode: 'full' }, 1)
    const both = await Promise.all([edit(delta, { mode: 'full' }), edit(full, { isActive: true })].map(refusalText))
    expect(both.every((refused) => refused.startsWith('conflict'))).toBe(true)
  })
})
