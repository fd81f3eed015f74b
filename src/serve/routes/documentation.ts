import { readFile } from 'node:fs/promises'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { LRUCache } from 'lru-cache'
import { openApiDocument } from '../../../contract/openapi.ts'
import {
  DOCS,
  DOCS_OPERATION,
  DOCS_SCRIPT,
  DOCS_SEARCH,
  HOME,
  GUIDE,
  GUIDE_STYLE,
  GUIDES as GUIDE_LIST,
  OPENAPI,
  PROBLEMS_PAGE,
} from '../../../contract/routes/operator.ts'
import { MAPPING_SCHEMA } from '../../../contract/routes/imports.ts'
import { ShelfwireError } from '../../platform/errors.ts'
import { LIMITS } from '../../platform/limits.ts'
import { PACKAGE_ROOT } from '../../platform/process/package.ts'
import { openRateLimit } from '../../platform/turns/rate-limit.ts'
import { mappingJsonSchema } from '../../supplier-files/mapping-json-schema.ts'
import { answer, tagOf } from '../answer.ts'
import { clientAddress } from '../client-address.ts'
import { weightsOf } from '../coding.ts'
import type { ServeContext } from '../context.ts'
import { handle } from '../handle.ts'
import { GUIDE_PICTURE, GUIDES } from '../documentation/guides.ts'
import type { Reference } from '../documentation/reference/operations.ts'
import type { SearchIndex } from '../documentation/search.ts'
import { SCRIPT } from '../documentation/script.ts'
import { STYLE } from '../documentation/style.ts'

const HTML = 'text/html; charset=utf-8'
/** Loaded at the first request for a page: the Markdown parser takes 10 MB. */
const pages = () => import('../documentation/page.ts')
/** Pages load only their stylesheet and pictures of the panel; their only form is the search. */
const CONTENT_POLICY =
  "default-src 'none'; style-src 'self'; img-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
/** Pages of operations also send requests to the service. */
const REFERENCE_POLICY = `${CONTENT_POLICY}; script-src 'self'; connect-src 'self'`

/** A text that stays the same until the next release. */
interface Document {
  body: string
  type: string
  tag: string
}

/**
 * GET /openapi.json; the reference at /docs, which loads nothing from elsewhere; the guides and the page of problems below it; and
 * the page at / that links to all of them for browsers.
 * @param nothingHere answers requests for / that do not come from a browser.
 */
export async function documentation(
  app: FastifyInstance,
  context: ServeContext,
  nothingHere: (request: FastifyRequest, reply: FastifyReply) => FastifyReply,
): Promise<void> {
  let operations: Reference | null = null
  let index: Promise<SearchIndex> | null = null
  let latest: { url: string; document: Record<string, unknown> } | null = null
  /** Made again only when the address of the service changes: anybody may ask for it, and it takes some 20 ms. */
  const documentOf = () => {
    const url = context.publicUrl()
    if (latest?.url !== url) latest = { url, document: openApiDocument(url, context.version) }
    return latest.document
  }
  const kept = new Map<string, Promise<Document>>()
  /** Makes a document at the first request for it. */
  const document = (key: string, type: string, make: () => string | Promise<string>): Promise<Document> => {
    const known = kept.get(key)
    if (known !== undefined) return known
    const made = Promise.resolve(make()).then((body) => ({ body, type, tag: tagOf(body) }))
    // after a failure, such as an unreadable file, the next request tries again
    made.catch(() => kept.delete(key))
    kept.set(key, made)
    return made
  }
  handle(app, OPENAPI, async ({ request, reply }) => {
    const url = context.publicUrl()
    return show(
      request,
      reply,
      await document(`openapi ${url}`, 'application/json; charset=utf-8', () => JSON.stringify(documentOf())),
    )
  })
  handle(app, HOME, async ({ request, reply }) => {
    if (!asksForHtml(request.headers.accept)) return nothingHere(request, reply)
    const url = context.publicUrl()
    return show(
      request,
      reply,
      await document(`home ${url}`, HTML, async () => (await pages()).homePage(url)),
      'no-cache',
      'Accept, Accept-Encoding',
    )
  })
  handle(app, GUIDE_LIST, async ({ request, reply }) =>
    show(request, reply, await document('guides', HTML, async () => (await pages()).guidesPage())),
  )
  handle(app, GUIDE, async ({ request, reply, params }) => {
    if (GUIDE_PICTURE.test(params.name)) return picture(reply, params.name)
    const guide = GUIDES.find(({ name }) => name === params.name)
    if (guide === undefined)
      throw new ShelfwireError('unknown-route', 'there is no such guide; /docs/guides lists what there is')
    const read = async () => (await pages()).guidePage(guide, await readFile(new URL(guide.file, PACKAGE_ROOT), 'utf8'))
    return show(request, reply, await document(`guide ${guide.name}`, HTML, read))
  })
  handle(app, PROBLEMS_PAGE, async ({ request, reply }) =>
    show(request, reply, await document('problems', HTML, async () => (await pages()).problemsPage())),
  )
  handle(app, MAPPING_SCHEMA, async ({ request, reply }) => {
    const schema = await document('mapping schema', 'application/schema+json; charset=utf-8', mappingSchema)
    // editors read it from pages of other origins; they may cache it for an hour
    void reply.header('Access-Control-Allow-Origin', '*')
    return show(request, reply, schema, 'public, max-age=3600')
  })
  handle(app, GUIDE_STYLE, async ({ request, reply }) =>
    show(request, reply, await document('style', 'text/css; charset=utf-8', () => STYLE)),
  )
  handle(app, DOCS_SCRIPT, async ({ request, reply }) =>
    show(request, reply, await document('script', 'text/javascript; charset=utf-8', () => SCRIPT)),
  )
  const reference = async () => {
    const { referenceOf } = await import('../documentation/reference/operations.ts')
    const url = context.publicUrl()
    if (operations?.url !== url) operations = referenceOf(url, context.version, documentOf())
    return operations
  }
  handle(app, DOCS, async ({ request, reply }) => {
    const all = await reference()
    const { referencePage } = await import('../documentation/reference/pages.ts')
    return show(request, reply, await document(`reference ${all.url}`, HTML, () => referencePage(all)))
  })
  /** The most recently read pages: to keep all would take more memory than it is worth. */
  const operationPages = new LRUCache<string, Document>({
    maxSize: LIMITS.docsKeptCharacters,
    sizeCalculation: ({ body }) => body.length,
  })
  const made = openRateLimit<string>({ perSecond: LIMITS.docsMadePerSecond, burst: LIMITS.docsMadeAtOnce })
  /** Limits, by client address, pages that are made for one request, which takes some milliseconds. @throws ShelfwireError rate-limited */
  const requireTurn = (request: FastifyRequest) => {
    const { isAllowed, resetSeconds } = made.take(clientAddress(request))
    if (isAllowed) return
    throw new ShelfwireError('rate-limited', 'your address has asked for too many pages; see Retry-After', {
      retryAfterSeconds: Math.max(1, resetSeconds),
    })
  }
  handle(app, DOCS_OPERATION, async ({ request, reply, params }) => {
    const all = await reference()
    const operation = all.byId.get(params.operation)
    if (operation === undefined)
      throw new ShelfwireError('unknown-route', 'there is no such operation; /docs lists what there is')
    const { operationPage } = await import('../documentation/reference/pages.ts')
    const key = `${all.url} ${operation.id}`
    let page = operationPages.get(key)
    if (page === undefined) {
      requireTurn(request)
      const body = operationPage(all, operation)
      page = { body, type: HTML, tag: tagOf(body) }
      operationPages.set(key, page)
    }
    return show(request, reply, page, 'no-cache', 'Accept-Encoding', REFERENCE_POLICY)
  })
  const indexed = async () => {
    const { searchIndex } = await import('../documentation/search.ts')
    return searchIndex(await reference())
  }
  handle(app, DOCS_SEARCH, async ({ request, reply, query }) => {
    requireTurn(request)
    // all searches share one promise; after a failure the next search tries again
    index ??= indexed().catch((error: unknown) => {
      index = null
      throw error
    })
    const { searchPage } = await import('../documentation/search.ts')
    const body = searchPage(await index, query.q.trim())
    return show(request, reply, { body, type: HTML, tag: tagOf(body) })
  })
}

/** Whether a client names HTML, as browsers do, with at least the weight of JSON; `*\/*` alone means a program. */
function asksForHtml(accept: string | undefined): boolean {
  if (accept === undefined) return false
  const weights = weightsOf(accept)
  const html = weights.get('text/html') ?? 0
  const json = Math.max(
    ...[...weights].map(([type, weight]) => (/^application\/(?:\w+\+)?json$/.test(type) ? weight : 0)),
  )
  return html > 0 && html >= json
}

const mappingSchema = () => `${JSON.stringify(mappingJsonSchema(), null, 2)}\n`

/** A picture of the panel in a guide. @throws ShelfwireError unknown-route */
async function picture(reply: FastifyReply, name: string): Promise<FastifyReply> {
  const bytes = await readFile(new URL(`docs/panel/${name}`, PACKAGE_ROOT)).catch(() => null)
  if (bytes === null) throw new ShelfwireError('unknown-route', 'there is no such picture')
  return reply.header('Cache-Control', 'public, max-age=3600').type('image/png').send(bytes)
}

function show(
  request: FastifyRequest,
  reply: FastifyReply,
  { body, type, tag }: Document,
  caching = 'no-cache',
  vary = 'Accept-Encoding',
  policy = CONTENT_POLICY,
): FastifyReply | Promise<FastifyReply> {
  void reply.header('Cache-Control', caching).header('Vary', vary)
  if (type === HTML) void reply.header('Content-Security-Policy', policy)
  return answer(request, reply, body, tag, type)
}
