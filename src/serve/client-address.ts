import type { Socket } from 'node:net'
import ipaddr from 'ipaddr.js'
import type { FastifyRequest } from 'fastify'

/**
 * The client as counted by limits per client: an IPv4 address, or the /64 of an IPv6 address, which is usually one customer.
 * Behind a proxy in TRUSTED_PROXIES it is the address in X-Forwarded-For.
 */
export function clientAddress(request: FastifyRequest): string {
  const peer = request.raw.socket.remoteAddress ?? ''
  // some proxies add the port
  const named = request.ip.replace(/^\[(.*)\](?::\d+)?$/, '$1').replace(/^([\d.]+):\d+$/, '$1')
  return networkOf(named) ?? networkOf(peer) ?? ''
}

/** clientAddress for a connection where no proxy is trusted. */
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

/** Headers that proxies add. */
const FORWARDED = ['x-forwarded-for', 'forwarded', 'x-real-ip', 'x-forwarded-host', 'x-forwarded-proto', 'via'] as const

/** Whether a request was sent from this machine, and not through a proxy on it that adds forwarding headers. */
export function isFromThisMachine(request: FastifyRequest): boolean {
  const peer = request.raw.socket.remoteAddress ?? ''
  return (
    ipaddr.isValid(peer) &&
    ipaddr.process(peer).range() === 'loopback' &&
    FORWARDED.every((name) => request.headers[name] === undefined)
  )
}
