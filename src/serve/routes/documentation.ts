import { readFile } from 'node:fs/promises'
import swagger from '@fastify/swagger'
import swaggerUi from '@fastify/swagger-ui'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { openApiDocument } from '../../../contract/openapi.ts'
import {
  DOCS,
  HOME,
  GUIDE,
  GUIDE_STYLE,
  GUIDES as GUIDE_LIST,
  OPENAPI,
  PROBLEMS_PAGE,
} from '../../../contract/routes/operator.ts'
import { MAPPING_SCHEMA } from '../../../contract/routes/imports.ts'
import { ShelfwireError } from '../../platform/errors.ts'
import { PACKAGE_ROOT } from '../../platform/package.ts'
import { mappingJsonSchema } from '../../supplier-files/mapping-json-schema.ts'
import { answer, tagOf } from '../answer.ts'
import { weightsOf } from '../coding.ts'
import type { ServeContext } from '../context.ts'
import { handle } from '../handle.ts'
import { GUIDES } from '../documentation/guides.ts'
import { STYLE } from '../documentation/style.ts'

const HTML = 'text/html; charset=utf-8'
/** Pages are made when they are first asked for: what reads Markdown takes 10 MB. */
const pages = () => import('../documentation/page.ts')
/** Pages load their stylesheet, and nothing else. */
const CONTENT_POLICY =
  "default-src 'none'; style-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

/** A text that is the same for everybody until the next release. */
interface Document {
  body: string
  type: string
  tag: string
}

/**
 * GET /openapi.json, the readable reference at /docs, which loads nothing from elsewhere, and the guides and the page of
 * problems below it; and the page at / that leads a browser to all of it.
 * @param nothingHere answers at / whoever is no browser.
 */
export async function documentation(
  app: FastifyInstance,
  context: ServeContext,
  nothingHere: (request: FastifyRequest, reply: FastifyReply) => FastifyReply,
): Promise<void> {
  let latest: { url: string; document: Record<string, unknown> } | null = null
  /** Made again only when the service has learned its address: anybody may ask for it, and it takes some 20 ms. */
  const documentOf = () => {
    const url = context.publicUrl()
    if (latest?.url !== url) latest = { url, document: openApiDocument(url, context.version) }
    return latest.document
  }
  const kept = new Map<string, Promise<Document>>()
  /** Makes a document when it is first asked for. */
  const document = (key: string, type: string, make: () => string | Promise<string>): Promise<Document> => {
    const known = kept.get(key)
    if (known !== undefined) return known
    const made = Promise.resolve(make()).then((body) => ({ body, type, tag: tagOf(body) }))
    // a file that could not be read is tried again
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
    // editors read it from pages of other origins, and keep it for a while
    void reply.header('Access-Control-Allow-Origin', '*')
    return show(request, reply, schema, 'public, max-age=3600')
  })
  handle(app, GUIDE_STYLE, async ({ request, reply }) =>
    show(request, reply, await document('style', 'text/css; charset=utf-8', () => STYLE)),
  )
  // the document is made when it is first asked for, which takes longer than all that begins here
  await app.register(swagger, { mode: 'static', specification: { document: {} as never } })
  await app.register(swaggerUi, {
    routePrefix: DOCS.path,
    theme: { title: 'Shelfwire API' },
    // without the top bar, which shows Swagger's name
    uiConfig: { layout: 'BaseLayout', docExpansion: 'list', persistAuthorization: false, displayRequestDuration: true },
    transformSpecificationClone: false,
    transformSpecification: () => documentOf() as never,
  })
}

/** Whether a client names HTML, as browsers do, and wants it no less than JSON; `*\/*` alone is a program. */
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

function show(
  request: FastifyRequest,
  reply: FastifyReply,
  { body, type, tag }: Document,
  caching = 'no-cache',
  vary = 'Accept-Encoding',
): FastifyReply | Promise<FastifyReply> {
  void reply.header('Cache-Control', caching).header('Vary', vary)
  if (type === HTML) void reply.header('Content-Security-Policy', CONTENT_POLICY)
  return answer(request, reply, body, tag, type)
}
