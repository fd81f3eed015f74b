import type { AddressInfo } from 'node:net'
import type { FastifyInstance } from 'fastify'
import { asError, ShelfwireError } from '../platform/errors.ts'

/** @param names of the two settings, for the error. @returns the URL of the listener. @throws ShelfwireError settings-invalid. */
export async function listen(
  app: FastifyInstance,
  host: string,
  port: number,
  names: readonly [host: string, port: string],
): Promise<string> {
  try {
    await app.listen({ host, port })
  } catch (error) {
    throw new ShelfwireError('settings-invalid', cannotListen(host, port, names, asError(error)), { cause: error })
  }
  const { port: taken } = app.server.address() as AddressInfo
  const reached = host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host
  return `http://${reached.includes(':') ? `[${reached}]` : reached}:${taken}`
}

function cannotListen(
  host: string,
  port: number,
  [hostName, portName]: readonly [string, string],
  error: Error,
): string {
  const code = 'code' in error ? error.code : undefined
  if (code === 'EADDRINUSE')
    return `port ${port} of ${host} is already in use; stop what listens there, or set ${portName}`
  if (code === 'EACCES')
    return `port ${port} of ${host} needs privileges that this user lacks; set ${portName} to 1024 or more`
  return `cannot listen on ${hostName} ${host}, ${portName} ${port}: ${error.message}`
}
