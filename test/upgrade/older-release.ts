import { readFile } from 'node:fs/promises'
import { gunzipSync } from 'node:zlib'
import { openDb } from '../../src/db/open-db.ts'
import type { Client } from '../harness/service.ts'

// The data of older releases that fill.ts stored, and upgrade.full.pg.test.ts compares with this release.

/** Settings on which answers depend, or without which stored data cannot be read. */
export const SETTINGS = {
  SECRET_KEY: 'a-test-key-of-at-least-thirty-two',
  PUBLIC_URL: 'http://shelfwire.example.com',
  IMAGE_URL: 'https://pictures.example.com',
  OUTBOUND_ALLOW: '127.0.0.1/32',
  MIRROR: 'off',
}
export const PERSON = { email: 'anna@example.com', password: 'correct horse battery' }

/** A supplier's file as it was sent, with its mapping. */
export interface SentFile {
  supplier: string
  name: string
  text: string
  mapping: object
}

/** One answer, byte for byte, with only the headers about its content. */
export interface KeptAnswer {
  path: string
  status: number
  etag: string | null
  /** For an export: the cursor from which the feed continues. */
  next: readonly [string | null, string | null]
  body: string
}

export interface KeptAccount {
  accountId: number
  name: string
  tokens: { connector: string; full: string }
  stores: readonly string[]
  /** The feed's newest position in each store when the service was stopped. */
  cursors: Record<string, string>
  answers: readonly KeptAnswer[]
  /** Answers of /v1/account, which may have more members later. */
  settings: readonly KeptAnswer[]
  files: readonly SentFile[]
  endpoint: { id: number; secret: string } | null
}

export interface KeptRelease {
  accounts: readonly KeptAccount[]
  /** The value of a signed-in person's session cookie. */
  session: string
}

/** A stored file of a release. @param kind `json`: its answers, a KeptRelease; `sql`: a dump of its database. */
export const keptFile = (release: string, kind: 'json' | 'sql'): URL =>
  new URL(`${release}.${kind}.gz`, import.meta.url)

/** Replaces the content of a database by the stored database of a release. @returns the release's answers */
export async function loadRelease(url: string, release: string): Promise<KeptRelease> {
  const unzip = async (kind: 'json' | 'sql') => gunzipSync(await readFile(keptFile(release, kind))).toString()
  // the dump sets the search path of its connection
  const db = openDb({ url, connectionsMax: 1 })
  await db.unsafe('drop schema public cascade; create schema public')
  await db.unsafe(await unzip('sql'))
  await db.end()
  return JSON.parse(await unzip('json')) as KeptRelease
}

/** Requests one answer without a content coding. */
export async function ask(http: Client, path: string, headers: Record<string, string> = {}): Promise<KeptAnswer> {
  const answer = await http(path, { headers: { 'accept-encoding': 'identity', ...headers } })
  return {
    path,
    status: answer.status,
    etag: answer.headers.get('etag'),
    next: [answer.headers.get('shelfwire-next-since'), answer.headers.get('shelfwire-next-id')],
    body: answer.text,
  }
}

/** The parameters that continue after an answer of the feed. */
export const cursorOf = (body: { next_since: string; next_id: number }) =>
  `since=${encodeURIComponent(body.next_since)}&since_id=${body.next_id}`

/** Sends a supplier's file and waits until its run has ended. */
export async function importFile(http: Client, { supplier, name, text, mapping }: SentFile) {
  const form = new FormData()
  form.append('mapping', new Blob([JSON.stringify(mapping)], { type: 'application/json' }), 'mapping.json')
  form.append('file', new Blob([text], { type: 'text/csv' }), name)
  const sent = await http(`/v1/account/suppliers/${supplier}/imports?mode=full`, { method: 'POST', body: form })
  if (sent.status !== 202) throw new Error(`the import was refused: ${sent.text}`)
  for (;;) {
    const { data } = (await http(`/v1/account/imports/${sent.body.data.id}`)).body
    if (data.ended_at !== null || data.state === 'held') return data
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}
