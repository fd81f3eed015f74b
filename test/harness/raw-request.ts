import { connect, type Socket } from 'node:net'

/** Opens a TCP connection to a service, for raw bytes. */
export function dial(url: string): Socket {
  const { hostname, port } = new URL(url)
  return connect(Number(port), hostname)
}

/**
 * Sends raw bytes, and returns all bytes that the server sends until it closes the connection.
 * @param parts sent one after the other, each as a packet of its own
 */
export async function rawRequest(url: string, ...parts: string[]): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>()
  let answer = ''
  const socket = dial(url)
  socket.setNoDelay(true)
  socket
    .on('data', (data) => (answer += data.toString()))
    .on('close', () => resolve(answer))
    .on('error', reject)
  for (const part of parts) {
    await new Promise((sent) => socket.write(part, sent))
    if (parts.length > 1) await new Promise((rest) => setTimeout(rest, 30))
  }
  return await promise
}

/** Parses an HTTP answer that was read from a socket. */
export function parsedAnswer(text: string): { status: number; headers: Map<string, string>; body: string } {
  const [head = '', ...rest] = text.split('\r\n\r\n')
  const [line = '', ...fields] = head.split('\r\n')
  return {
    status: Number(/^HTTP\/1\.1 (\d{3}) /.exec(line)?.[1]),
    headers: new Map(fields.map((field) => [field.split(':', 1)[0]!.toLowerCase(), field.replace(/^[^:]*: /, '')])),
    body: rest.join('\r\n\r\n'),
  }
}
