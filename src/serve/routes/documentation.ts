import { hash } from 'node:crypto'
import swagger from '@fastify/swagger'
import swaggerUi from '@fastify/swagger-ui'
import type { FastifyInstance } from 'fastify'
import { openApiDocument } from '../../../contract/openapi.ts'
import { DOCS, OPENAPI } from '../../../contract/routes/operator.ts'
import { answer } from '../answer.ts'
import type { ServeContext } from '../context.ts'
import { handle } from '../handle.ts'

/** GET /openapi.json and the readable page at /docs, which loads nothing from elsewhere. */
export async function documentation(app: FastifyInstance, context: ServeContext): Promise<void> {
  const documentOf = () => openApiDocument(context.publicUrl(), context.version)
  let sent = { url: '', body: '', tag: '' }
  handle(app, OPENAPI, ({ request, reply }) => {
    const url = context.publicUrl()
    if (sent.url !== url) {
      const body = JSON.stringify(documentOf())
      sent = { url, body, tag: hash('sha256', body, 'base64url').slice(0, 24) }
    }
    void reply.header('Cache-Control', 'no-cache').header('Vary', 'Accept-Encoding')
    return answer(request, reply, sent.body, sent.tag)
  })
  await app.register(swagger, { mode: 'static', specification: { document: documentOf() as never } })
  await app.register(swaggerUi, {
    routePrefix: DOCS.path,
    theme: { title: 'Shelfwire API' },
    // without the top bar, which shows Swagger's name
    uiConfig: { layout: 'BaseLayout', docExpansion: 'list', persistAuthorization: false, displayRequestDuration: true },
    transformSpecificationClone: true,
    transformSpecification: () => documentOf() as never,
  })
}
