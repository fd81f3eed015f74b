import { defineMiddlewares } from '@medusajs/framework/http'

/** A signature is of the bytes as they came. */
export default defineMiddlewares({
  routes: [{ matcher: '/hooks/shelfwire', method: 'POST', bodyParser: { preserveRawBody: true } }],
})
