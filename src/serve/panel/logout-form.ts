import type { FastifyInstance } from 'fastify'
import { PROVIDER_SIGN_OUT } from '../../../contract/panel/provider-sign-in.ts'
import { ShelfwireError } from '../../platform/errors.ts'
import { readAs } from '../writing/body.ts'

/** What an identity provider sends is a form. Other routes take none: a page of another site can send forms. */
export function readLogoutForms(app: FastifyInstance): void {
  readAs(app, /^application\/x-www-form-urlencoded(?:;|$)/i, (request, bytes) => {
    if (request.routeOptions.config.route !== PROVIDER_SIGN_OUT)
      throw new ShelfwireError('unsupported-media-type', 'send the body as application/json')
    // other fields are none of ours
    return { logout_token: new URLSearchParams(bytes.toString()).get('logout_token') ?? '' }
  })
}
