import type { FastifyInstance } from 'fastify'
import { PROVIDER_SIGN_OUT } from '../../../contract/panel/provider-sign-in.ts'
import { ShelfwireError } from '../../platform/errors.ts'
import { addBodyReader } from '../writing/body.ts'

/** Reads the form that an identity provider sends. Other routes refuse forms, because pages of other sites can send them. */
export function readLogoutForms(app: FastifyInstance): void {
  addBodyReader(app, /^application\/x-www-form-urlencoded(?:;|$)/i, (request, bytes) => {
    if (request.routeOptions.config.route !== PROVIDER_SIGN_OUT)
      throw new ShelfwireError('unsupported-media-type', 'send the body as application/json')
    // other fields are ignored
    return { logout_token: new URLSearchParams(bytes.toString()).get('logout_token') ?? '' }
  })
}
