import swagger from '@fastify/swagger'
import swaggerUi from '@fastify/swagger-ui'
import type { FastifyInstance } from 'fastify'
import { openApiDocument } from '../../../contract/openapi.ts'
import { DOCS, OPENAPI } from '../../../contract/routes/operator.ts'
import type { ServeContext } from '../context.ts'
import { handle } from '../handle.ts'

/** GET /openapi.json and the readable page at /docs, which loads nothing from elsewhere. */
export async function documentation(app: FastifyInstance, context: ServeContext): Promise<void> {
  const documentOf = () => openApiDocument(context.publicUrl(), context.version)
  handle(app, OPENAPI, ({ reply }) => reply.send(documentOf()))
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
