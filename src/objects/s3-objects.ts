import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { AwsV4Signer } from 'aws4fetch'
import { Agent, request, type Dispatcher } from 'undici'
import { LIMITS } from '../platform/limits.ts'
import type { S3Settings } from '../platform/settings/settings.ts'
import { bufferedObject, requireKey, type ObjectStore } from './object-store.ts'
import { SaxesParser } from 'saxes'

const EMPTY_SHA256 = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855'
/** How long to wait before a request is repeated after a temporary failure. */
const RETRY_MS = [100, 500]

type Answer = Dispatcher.ResponseData

/** The store answered with a failure; the message names the request. */
class S3Error extends Error {
  readonly status: number
  constructor(status: number, message: string) {
    super(message)
    this.status = status
  }
}

/** A request; `body.open` opens the body again for each attempt. */
interface Ask {
  method: 'GET' | 'HEAD' | 'PUT' | 'DELETE'
  key: string
  query?: Record<string, string>
  headers?: Record<string, string>
  body?: { open: () => NodeJS.ReadableStream; bytes: number; sha256: string }
}

/**
 * Objects in a bucket. The operator configures the endpoint, so it is reached directly and may be in a private network. After temporary failures,
 * requests are repeated up to twice.
 */
export function openS3Objects(settings: S3Settings): ObjectStore & AsyncDisposable {
  const agent = new Agent({
    connections: LIMITS.imageStoreConnectionsMax,
    headersTimeout: LIMITS.imageStoreTimeoutMs,
    bodyTimeout: LIMITS.imageStoreTimeoutMs,
    connect: { timeout: LIMITS.imageStoreConnectMs },
  })
  const base = baseOf(settings)

  const send = async ({ method, key, query = {}, headers = {}, body }: Ask): Promise<Answer> => {
    const url = new URL(base + key.split('/').map(encodeURIComponent).join('/'))
    for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value)
    const signed = await new AwsV4Signer({
      method,
      url: url.href,
      headers: { ...headers, 'X-Amz-Content-Sha256': body?.sha256 ?? EMPTY_SHA256 },
      accessKeyId: settings.accessKeyId,
      secretAccessKey: settings.secretAccessKey,
      service: 's3',
      region: settings.region,
    }).sign()
    const sent = Object.fromEntries(signed.headers)
    delete sent['host']
    return request(signed.url, {
      dispatcher: agent,
      method,
      headers: { ...sent, ...(body === undefined ? {} : { 'content-length': String(body.bytes) }) },
      ...(body === undefined ? {} : { body: body.open() as never }),
    })
  }

  /** Sends a request. @returns the answer, or null for 404. @throws S3Error for any other status that is no success. */
  const ask = async (what: Ask): Promise<Answer | null> => {
    for (let attempt = 0; ; attempt++) {
      const pause = RETRY_MS[attempt]
      try {
        const answer = await send(what)
        if (answer.statusCode < 300) return answer
        const text = (await answer.body.text()).slice(0, 10_000)
        if (answer.statusCode === 404 && !text.includes('NoSuchBucket')) return null
        throw new S3Error(answer.statusCode, failure(what, answer.statusCode, text))
      } catch (error) {
        const mayPass = !(error instanceof S3Error) || error.status >= 500 || error.status === 429
        if (!mayPass || pause === undefined) throw error
        await sleep(pause)
      }
    }
  }

  const page = async (query: Record<string, string>) => {
    const answer = await ask({ method: 'GET', key: '', query: { 'list-type': '2', ...query } })
    if (answer === null) throw new Error(`the bucket ${settings.bucket} does not answer listings`)
    return readListing(await answer.body.text())
  }

  return {
    async put(key, file, { sha256, type, caching }) {
      requireKey(key)
      const { size: bytes } = await stat(file)
      const answer = await ask({
        method: 'PUT',
        key,
        headers: { 'content-type': type, ...(caching === undefined ? {} : { 'cache-control': caching }) },
        // with it, the store refuses bytes that do not match
        body: { open: () => createReadStream(file), bytes, sha256 },
      })
      if (answer === null) throw new Error(`the bucket ${settings.bucket} takes no objects: 404`)
      await answer.body.dump()
    },
    async read(key, range) {
      requireKey(key)
      const answer = await ask({
        method: 'GET',
        key,
        ...(range === undefined ? {} : { headers: { range: `bytes=${range.first}-${range.last}` } }),
      })
      if (answer === null) return undefined
      const bytes = Number(answer.headers['content-length'])
      const wanted = range === undefined ? bytes : range.last - range.first + 1
      if (answer.statusCode === (range === undefined ? 200 : 206) && bytes === wanted) {
        // read at once, so that a slow reader does not occupy a connection to the bucket
        if (bytes <= LIMITS.imageReadAtOnceBytes) return bufferedObject(Buffer.from(await answer.body.arrayBuffer()))
        return { stream: answer.body, bytes }
      }
      answer.body.on('error', () => {}).destroy()
      throw new Error(`the bucket does not send the bytes of ${key} that were asked for`)
    },
    async stat(key) {
      requireKey(key)
      const answer = await ask({ method: 'HEAD', key })
      await answer?.body.dump()
      return answer === null ? undefined : { bytes: Number(answer.headers['content-length']) }
    },
    async remove(key) {
      requireKey(key)
      const answer = await ask({ method: 'DELETE', key })
      await answer?.body.dump()
    },
    async *list(prefix) {
      let next: string | null = ''
      while (next !== null) {
        const { objects, continuation }: ReturnType<typeof readListing> = await page({
          prefix,
          ...(next === '' ? {} : { 'continuation-token': next }),
        })
        yield* objects
        next = continuation
      }
    },
    async [Symbol.asyncDispose]() {
      await agent.destroy()
    },
  }
}

/** The URL of the bucket, with a slash at the end. */
function baseOf({ endpoint, bucket, isPathStyle }: S3Settings): string {
  if (isPathStyle) return `${endpoint}/${bucket}/`
  const url = new URL(endpoint)
  url.hostname = `${bucket}.${url.hostname}`
  return url.href.replace(/\/*$/, '/')
}

function failure({ method, key }: Ask, status: number, text: string): string {
  const [, code = ''] = /<Code>([\w.]{1,100})<\/Code>/.exec(text) ?? []
  return `the bucket answers ${method} ${key} with ${status}${code === '' ? '' : ` ${code}`}`
}

/** One page of a bucket's listing (ListObjectsV2). */
interface Listing {
  objects: { key: string; bytes: number; modifiedAt: Date }[]
  /** The token for the next page; null at the end. */
  continuation: string | null
}

/** Reads the XML of a listing. @throws Error for anything else. */
function readListing(xml: string): Listing {
  const parser = new SaxesParser()
  const objects: Listing['objects'] = []
  const path: string[] = []
  let values: Record<string, string> = {}
  let text = ''
  let continuation: string | null = null
  parser.on('error', (error) => {
    throw error
  })
  parser.on('opentag', ({ name }) => {
    path.push(name)
    text = ''
    if (name === 'Contents') values = {}
  })
  parser.on('text', (more) => (text += more))
  parser.on('closetag', ({ name }) => {
    path.pop()
    if (path.at(-1) === 'Contents') values[name] = text
    else if (name === 'NextContinuationToken') continuation = text
    else if (name === 'Contents') {
      const { Key: key = '', Size: size = '', LastModified: at = '' } = values
      objects.push({ key, bytes: Number(size), modifiedAt: new Date(at) })
    } else if (path.length === 0 && name !== 'ListBucketResult') throw new Error(`it is no listing, but ${name}`)
  })
  parser.write(xml).close()
  return { objects, continuation }
}
