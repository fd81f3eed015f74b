import { existsSync, readFileSync, statSync } from 'node:fs'
import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { ShelfwireError } from '../../platform/errors.ts'
import type { Log } from '../../platform/log.ts'
import { startEmbedded, type EmbeddedServer } from '../embedded.ts'
import type { Home } from '../home.ts'
import type { Manifest } from './manifest.ts'
import { fetchedIn, firstSegment, stagedIn, stageWal, type FetchLog } from './staged-wal.ts'

/** The moment to which a backup is restored. */
export interface Moment {
  to: Date
  /** The WAL_ARCHIVE_DIR of the database that was backed up, or a copy of it; if `fetch` is given, only a name for messages. */
  archive: string
  /** Fetches the log if it is not in a directory; null: it is. */
  fetch: FetchLog | null
}

/** @throws ShelfwireError `invalid-input` for a moment before the end of the backup. */
export function requireWithin({ to }: Moment, manifest: Manifest): void {
  const ended = new Date(manifest.ended_at)
  if (to < ended)
    throw new ShelfwireError(
      'invalid-input',
      `${to.toISOString()} is before the end of this backup: it can be brought to ${manifest.ended_at} or later; take an older one`,
    )
  if (to.getTime() > Date.now())
    throw new ShelfwireError('invalid-input', `${to.toISOString()} has not come yet: name a time that has passed`)
}

/**
 * Starts the server of a backup that `restore` has copied, and replays the archived log up to the moment: exactly what was committed by then is
 * restored.
 * @throws ShelfwireError `invalid-input` if the log does not reach the moment, with the time that it does reach.
 */
export async function startAt(
  { to, archive, fetch }: Moment,
  home: Home,
  log: Log,
  onProgress: (segments: number, total: number) => void,
): Promise<EmbeddedServer> {
  const staged = await stageWal(home, { archive, fetch }, await firstSegment(home.cluster), onProgress)
  await writeFile(join(home.cluster, 'recovery.signal'), '', { mode: 0o600 })
  const loggedFrom = existsSync(home.logFile) ? statSync(home.logFile).size : 0
  try {
    return await startEmbedded({
      dataDir: home.dataDir,
      log,
      isRestoring: true,
      settings: {
        restore_command: staged.restoreCommand,
        // the zone as an offset: zone names are not loaded yet when the server reads this
        recovery_target_time: to.toISOString().replace('T', ' ').replace('Z', '+00'),
        recovery_target_timeline: 'current',
        recovery_target_action: 'promote',
        // the server answers only when the replay has ended
        hot_standby: 'off',
      },
    })
  } catch (error) {
    // a server that could not be started at all has no log
    const logged = existsSync(home.logFile) ? readFileSync(home.logFile).subarray(loggedFrom).toString() : ''
    if (!/recovery ended before configured recovery target was reached/.test(logged)) throw error
    const [, reached] = /last completed transaction was at log time (\S+ [\d:.]+)/.exec(logged) ?? []
    const until =
      reached === undefined ? 'the end of the backup' : new Date(`${reached.replace(' ', 'T')}Z`).toISOString()
    throw new ShelfwireError(
      'invalid-input',
      staged.gap === null
        ? `the log in ${archive} does not reach ${to.toISOString()}: its last change is of ${until}`
        : `the log in ${archive} is not whole: ${staged.gap}; it can be restored up to ${until}`,
      { cause: error },
    )
  }
}

/** Removes the copied part of the archive. */
export async function removeReplayedArchive(home: Home): Promise<void> {
  for (const directory of [stagedIn(home), fetchedIn(home)]) await rm(directory, { recursive: true, force: true })
}
