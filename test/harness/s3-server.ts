import { createHash, createHmac } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import S3rver from 's3rver'
import { request } from 'undici'
import type { S3Settings } from '../../src/platform/settings/settings.ts'

/** An S3 server with one bucket. */
export interface S3Server extends AsyncDisposable {
  settings: S3Settings
  /** Failures of the next requests, in order: a status, with which they are answered; 0: the connection breaks; `half`: the answer breaks off in its middle. */
  fail: (number | 'half')[]
  /** Requests so far, as `METHOD key`. */
  seen: string[]
}

/**
 * Starts s3rver behind a proxy that checks what s3rver does not: the signature of every request (Signature Version 4, computed here from its
 * specification), and that the body has the signed hash.
 */
export async function startS3(bucket = 'pictures'): Promise<S3Server> {
  const directory = mkdtempSync(join(tmpdir(), 'shelfwire-s3-'))
  const store = new S3rver({
    port: 0,
    address: '127.0.0.1',
    silent: true,
    directory,
    configureBuckets: [{ name: bucket, configs: [] }],
  })
  const { port } = await store.run()
  const keys = { accessKeyId: 'S3RVER', secretAccessKey: 'S3RVER' }
  const region = 'eu-test-1'
  const fail: S3Server['fail'] = []
  const seen: string[] = []

  const answer = async (incoming: IncomingMessage, response: ServerResponse) => {
    const parts: Buffer[] = []
    for await (const part of incoming as AsyncIterable<Buffer>) parts.push(part)
    const body = Buffer.concat(parts)
    const url = new URL(incoming.url ?? '', 'http://x')
    seen.push(`${incoming.method} ${url.pathname.slice(bucket.length + 2)}`)
    const planned = fail.shift()
    if (planned === 0) return void incoming.socket.destroy()
    // checked before the URL is changed below
    const fault =
      planned === undefined || planned === 'half'
        ? faultOf(incoming, url, body, { ...keys, region })
        : ([planned, 'SlowDown'] as const)
    if (fault !== null) {
      const [status, code] = fault
      return void response.writeHead(status).end(`<Error><Code>${code}</Code></Error>`)
    }
    const { host: _host, authorization: _signature, 'transfer-encoding': _coding, ...headers } = incoming.headers
    const isListing = asFirstVersion(url)
    const passed = await request(`http://127.0.0.1:${port}${url.pathname}${url.search}`, {
      method: incoming.method as 'GET',
      headers,
      ...(body.length > 0 ? { body } : {}),
    })
    const bytes = Buffer.from(await passed.body.arrayBuffer())
    if (isListing) return void response.writeHead(passed.statusCode).end(asSecondVersion(bytes.toString()))
    response.writeHead(passed.statusCode, passed.headers as Record<string, string>)
    if (planned !== 'half') return void response.end(bytes)
    return void response.write(bytes.subarray(0, bytes.length / 2), () => incoming.socket.destroy())
  }
  const gate = createServer((incoming, response) => {
    answer(incoming, response).catch((error: unknown) => response.writeHead(500).end(String(error)))
  })
  await new Promise<void>((resolve) => gate.listen(0, '127.0.0.1', resolve))
  return {
    settings: {
      endpoint: `http://127.0.0.1:${(gate.address() as AddressInfo).port}`,
      region,
      bucket,
      ...keys,
      isPathStyle: true,
    },
    fail,
    seen,
    async [Symbol.asyncDispose]() {
      gate.closeAllConnections()
      await new Promise((resolve) => gate.close(resolve))
      await store.close()
      rmSync(directory, { recursive: true, force: true })
    },
  }
}

// s3rver encrypts its continuation tokens with a cipher that OpenSSL 3 does not have. So requests for listings are converted to ListObjects, and
// the answers back to ListObjectsV2.

/** How many objects a page of a listing has. */
const PAGE = 20

function asFirstVersion(url: URL): boolean {
  if (url.searchParams.get('list-type') !== '2') return false
  url.searchParams.delete('list-type')
  // a store may return fewer objects than were requested
  url.searchParams.set('max-keys', String(PAGE))
  const token = url.searchParams.get('continuation-token')
  url.searchParams.delete('continuation-token')
  if (token !== null) url.searchParams.set('marker', Buffer.from(token, 'base64').toString())
  return true
}

function asSecondVersion(xml: string): string {
  const last = [...xml.matchAll(/<Key>([^<]*)<\/Key>/g)].at(-1)?.[1] ?? ''
  if (!xml.includes('<IsTruncated>true<')) return xml
  const token = Buffer.from(last).toString('base64')
  return xml.replace('<IsTruncated>', `<NextContinuationToken>${token}</NextContinuationToken><IsTruncated>`)
}

const sha256 = (bytes: Buffer | string) => createHash('sha256').update(bytes).digest('hex')
const hmac = (key: Buffer | string, text: string) => createHmac('sha256', key).update(text).digest()
const encode = (text: string) =>
  encodeURIComponent(text).replace(/[!'()*]/g, (letter) => `%${letter.charCodeAt(0).toString(16).toUpperCase()}`)

/** The status and code with which a real store would refuse a request; null where it is signed correctly. */
function faultOf(
  { method = '', headers }: IncomingMessage,
  url: URL,
  body: Buffer,
  { accessKeyId, secretAccessKey, region }: { accessKeyId: string; secretAccessKey: string; region: string },
): readonly [number, string] | null {
  const [, key, day, scope, names = '', signature] =
    /^AWS4-HMAC-SHA256 Credential=([^/]+)\/(\d{8})\/([^,]+), ?SignedHeaders=([^,]+), ?Signature=([0-9a-f]{64})$/.exec(
      headers.authorization ?? '',
    ) ?? []
  if (key !== accessKeyId || day === undefined) return [403, 'InvalidAccessKeyId']
  if (scope !== `${region}/s3/aws4_request`) return [400, 'AuthorizationHeaderMalformed']
  const signed = names.split(';')
  if (!['host', 'x-amz-content-sha256', 'x-amz-date'].every((name) => signed.includes(name)))
    return [403, 'AccessDenied']
  const date = String(headers['x-amz-date'])
  const hash = String(headers['x-amz-content-sha256'])
  if (!date.startsWith(day)) return [403, 'AccessDenied']
  const query = [...url.searchParams]
    .map(([name, value]) => `${encode(name)}=${encode(value)}`)
    .sort()
    .join('&')
  const canonical = [
    method,
    url.pathname,
    query,
    ...signed.map((name) => `${name}:${String(headers[name]).trim()}`),
    '',
    names,
    hash,
  ].join('\n')
  const text = ['AWS4-HMAC-SHA256', date, `${day}/${scope}`, sha256(canonical)].join('\n')
  const signingKey = hmac(hmac(hmac(hmac(`AWS4${secretAccessKey}`, day), region), 's3'), 'aws4_request')
  if (hmac(signingKey, text).toString('hex') !== signature) return [403, 'SignatureDoesNotMatch']
  return hash === sha256(body) ? null : [400, 'XAmzContentSHA256Mismatch']
}
