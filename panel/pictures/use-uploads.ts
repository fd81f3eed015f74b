import { useCallback, useEffect, useRef, useState } from 'react'
import type { UPLOAD_IMAGE } from '../../contract/routes/images.ts'
import { Problem } from '../api/problem.ts'
import { sendFile } from '../api/send-file.ts'

/** The service's size limit in bytes. It would cut off a larger upload without an answer, so the panel checks first. */
const BYTES_MAX: (typeof UPLOAD_IMAGE)['upload']['bytesMax'] = 25_065_536
const WAITS_MAX = 20

export interface Upload {
  id: number
  file: File
  state: 'waiting' | 'sending' | 'failed'
  /** The share that was sent, from 0 to 1. */
  sent: number
  error: unknown
}

/** A file that is larger than the service accepts; it is not sent. */
export class TooLarge extends Error {}

/** Uploads files one after the other. Failed ones stay in the list until they are sent again or dismissed. */
export function useUploads(accountId: number, stored: (url: string, file: File) => void) {
  const [uploads, setUploads] = useState<readonly Upload[]>([])
  const queue = useRef<Upload[]>([])
  const isBusy = useRef(false)
  const last = useRef(0)
  const done = useRef(stored)
  useEffect(() => {
    done.current = stored
  })
  const set = useCallback(
    (id: number, changes: Partial<Upload>) =>
      setUploads((before) => before.map((upload) => (upload.id === id ? { ...upload, ...changes } : upload))),
    [],
  )
  const run = useCallback(async () => {
    if (isBusy.current) return
    isBusy.current = true
    for (let next = queue.current.shift(); next !== undefined; next = queue.current.shift()) {
      const { id, file } = next
      set(id, { state: 'sending', sent: 0, error: null })
      try {
        if (file.size > BYTES_MAX) throw new TooLarge()
        const url = await sendWithRetries(accountId, file, (sent) => set(id, { sent }))
        setUploads((before) => before.filter((upload) => upload.id !== id))
        done.current(url, file)
      } catch (error) {
        set(id, { state: 'failed', error })
      }
    }
    isBusy.current = false
  }, [accountId, set])
  return {
    uploads,
    add: useCallback(
      (files: readonly File[]) => {
        const made = files.map((file): Upload => ({ id: ++last.current, file, state: 'waiting', sent: 0, error: null }))
        queue.current.push(...made)
        setUploads((before) => [...before, ...made])
        void run()
      },
      [run],
    ),
    again: useCallback(
      (upload: Upload) => {
        queue.current.push(upload)
        set(upload.id, { state: 'waiting', error: null })
        void run()
      },
      [run, set],
    ),
    forget: useCallback((id: number) => setUploads((before) => before.filter((upload) => upload.id !== id)), []),
  }
}

/**
 * Uploads a file, and waits and retries if the service asks for it: it accepts one large file per account at a time.
 */
async function sendWithRetries(accountId: number, file: File, progress: (sent: number) => void): Promise<string> {
  for (let waits = 0; ; waits++) {
    try {
      const answer = (await sendFile('POST /v1/account/images', {
        accountId,
        file,
        fileName: file.name,
        onProgress: progress,
      })) as { data: { url: string } }
      return answer.data.url
    } catch (error) {
      if (!(error instanceof Problem) || error.status !== 429 || waits >= WAITS_MAX) throw error
      await new Promise((resolve) => setTimeout(resolve, (error.retryAfter ?? 1) * 1_000))
    }
  }
}
