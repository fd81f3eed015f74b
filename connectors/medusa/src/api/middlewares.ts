import { defineMiddlewares } from '@medusajs/framework/http'

/** Keeps the raw body, because the signature is of its bytes. */
export default defineMiddlewares({
  routes: [{ matcher: '/hooks/shelfwire', method: 'POST', bodyParser: { preserveRawBody: true } }],
})
