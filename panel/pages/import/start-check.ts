import { Problem } from '../../api/problem.ts'
import { repeatRun } from '../../api/runs.ts'
import { sendFile } from '../../api/send-file.ts'
import type { Doc } from './mapping.ts'
import type { OpenedFile } from './opened-file.ts'

/**
 * Starts a dry run that compares the whole file with the offers. A file that the service keeps is not uploaded again.
 * @returns the ID of the run
 */
export async function startCheck(
  accountId: number,
  code: string,
  {
    file,
    mapping,
    mode,
    keptRun,
    onProgress,
  }: {
    file: OpenedFile
    mapping: Doc
    mode: 'full' | 'delta'
    keptRun: number | undefined
    onProgress: (share: number) => void
  },
): Promise<number> {
  if (keptRun !== undefined) {
    try {
      return await repeatRun(accountId, keptRun, { mapping, mode, dry_run: true })
    } catch (error) {
      // the service keeps a file only for some days
      if (!(error instanceof Problem) || error.status !== 409 || file.file === null) throw error
    }
  }
  if (file.file === null) throw new Error('a file that is not here is kept by the service')
  const answer = await sendFile('POST /v1/account/suppliers/{code}/imports', {
    accountId,
    params: { code },
    query: { mode, dry_run: true },
    file: file.file,
    fileName: file.name,
    mapping,
    onProgress,
  })
  return (answer as { data: { id: number } }).data.id
}
