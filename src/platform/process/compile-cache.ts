import { getCompileCacheDir } from 'node:module'
import { dirname } from 'node:path'

/**
 * Environment variables that make a child process use the same cache of compiled code as this process; empty if there is none. From its second start
 * on, the child neither strips types nor compiles, which is half of the processor time of its start.
 */
export function compileCacheEnv(): Record<string, string> {
  const directory = getCompileCacheDir()
  // Node appends its version to the given directory
  return directory === undefined ? {} : { NODE_COMPILE_CACHE: dirname(directory) }
}
