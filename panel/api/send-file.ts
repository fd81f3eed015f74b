import { addressed, problemOfAnswer, type RouteName, type Sent } from './client.ts'
import { ownProblem } from './problem.ts'

export interface FileRequest extends Omit<Sent, 'body'> {
  file: Blob
  fileName: string
  /** Media type: the file itself is then the body. By default it is a part of a form. */
  type?: string
  /** The form's part `mapping`, which precedes the file. */
  mapping?: unknown
  /** Called during the upload with the share that has been sent, from 0 to 1. */
  onProgress?: (share: number) => void
}

/**
 * Sends a file, as a form unless `type` is set. Uses XMLHttpRequest, which streams the file and reports progress, unlike fetch().
 * @throws Problem as `call` does; DOMException AbortError when the signal is aborted
 */
export async function sendFile(name: RouteName, request: FileRequest): Promise<unknown> {
  const { file, fileName, type, mapping, onProgress, signal, ...sent } = request
  const { method, address, headers } = addressed(name, sent)
  if (type !== undefined) headers.set('Content-Type', type)
  const form = new FormData()
  if (mapping !== undefined) form.append('mapping', JSON.stringify(mapping))
  form.append('file', file, fileName)
  const response = await new Promise<Response>((resolve, reject) => {
    const sending = new XMLHttpRequest()
    const aborted = () => new DOMException('the request was aborted', 'AbortError')
    if (signal?.aborted === true) return reject(aborted())
    signal?.addEventListener('abort', () => sending.abort(), { once: true })
    sending.open(method, address)
    for (const [header, value] of headers) sending.setRequestHeader(header, value)
    sending.upload.addEventListener('progress', ({ loaded, total }) => onProgress?.(total === 0 ? 1 : loaded / total))
    sending.addEventListener('abort', () => reject(aborted()))
    sending.addEventListener('error', () => reject(ownProblem('unreachable', 'the file could not be sent')))
    sending.addEventListener('load', () => {
      const answered = new Headers()
      for (const line of sending.getAllResponseHeaders().trim().split('\r\n')) {
        const at = line.indexOf(': ')
        if (at > 0) answered.append(line.slice(0, at), line.slice(at + 2))
      }
      resolve(new Response(sending.responseText, { status: sending.status, headers: answered }))
    })
    sending.send(type === undefined ? form : file)
  })
  if (!response.ok) throw await problemOfAnswer(response)
  return response.json()
}

/**
 * Downloads the first `bytesMax` bytes and cancels the rest.
 * @throws Problem
 */
export async function readBeginning(name: RouteName, request: Sent, bytesMax: number): Promise<Blob> {
  const { method, address, headers } = addressed(name, request)
  const ending = new AbortController()
  const response = await fetch(address, { method, headers, credentials: 'same-origin', signal: ending.signal }).catch(
    (error: unknown) => {
      throw ownProblem('unreachable', String(error))
    },
  )
  if (!response.ok || response.body === null) throw await problemOfAnswer(response)
  const parts: Uint8Array<ArrayBuffer>[] = []
  let bytes = 0
  const reader = response.body.getReader()
  while (bytes < bytesMax) {
    const { done, value } = await reader.read()
    if (done) break
    parts.push(value)
    bytes += value.byteLength
  }
  await reader.cancel()
  ending.abort()
  return new Blob(parts).slice(0, bytesMax)
}
