import { parseDatabaseUrl } from '../../platform/settings/database-url.ts'

/** The URL of a node: the coordinator's with the node's host and port, and without parameters for choosing a host. */
export function nodeUrl(coordinator: string, host: string, port: number): string {
  const address = parseDatabaseUrl(coordinator)
  if (typeof address === 'string') throw new Error(`the database's URL ${address}`)
  const url = new URL(address.urls[0] ?? '')
  // these parameters would override the host before the path
  for (const name of ['host', 'port', 'hostaddr']) url.searchParams.delete(name)
  url.hostname = host.includes(':') ? `[${host}]` : host
  url.port = String(port)
  return url.toString()
}
