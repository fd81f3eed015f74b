import { getCompileCacheDir } from 'node:module'
import { dirname } from 'node:path'

/**
 * Environment by which a process that is started uses the same cache of compiled code as this one; empty where this one has none. From the
 * second start on it neither strips types nor compiles: half of the processor time of its start.
 */
export function compileCacheEnv(): Record<string, string> {
  const directory = getCompileCacheDir()
  // Node adds its version to what it is given
  return directory === undefined ? {} : { NODE_COMPILE_CACHE: dirname(directory) }
}
