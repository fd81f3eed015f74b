import type { Socket } from 'node:net'
import ipaddr from 'ipaddr.js'
import type { FastifyRequest } from 'fastify'

/**
 * Whom a limit per client is counted for: an IPv4 address, or the /64 of an IPv6 address, which is what one customer gets. Of a
 * proxy in TRUSTED_PROXIES it is the address that X-Forwarded-For names.
 */
export function clientAddress(request: FastifyRequest): string {
  const peer = request.raw.socket.remoteAddress ?? ''
  // some proxies name the port, too
  const named = request.ip.replace(/^\[(.*)\](?::\d+)?$/, '$1').replace(/^([\d.]+):\d+$/, '$1')
  return networkOf(named) ?? networkOf(peer) ?? ''
}

/** The same where no proxy is trusted. */
export const peerAddress = (peer: Socket): string => networkOf(peer.remoteAddress ?? '') ?? ''

function networkOf(text: string): string | null {
  if (!ipaddr.isValid(text)) return null
  const address = ipaddr.process(text)
  if (!(address instanceof ipaddr.IPv6)) return address.toString()
  return `${address.parts
    .slice(0, 4)
    .map((part) => part.toString(16))
    .join(':')}::/64`
}

/** Names of headers that proxies add. */
const FORWARDED = ['x-forwarded-for', 'forwarded', 'x-real-ip', 'x-forwarded-host', 'x-forwarded-proto', 'via'] as const

/** Whether a request comes from this machine itself, and not through a proxy on it that says so. */
export function isFromThisMachine(request: FastifyRequest): boolean {
  const peer = request.raw.socket.remoteAddress ?? ''
  return (
    ipaddr.isValid(peer) &&
    ipaddr.process(peer).range() === 'loopback' &&
    FORWARDED.every((name) => request.headers[name] === undefined)
  )
}
