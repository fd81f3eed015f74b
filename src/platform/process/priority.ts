import { getPriority, setPriority } from 'node:os'

/**
 * Gives this process a lower priority. One that is lower already stays, as of a service that runs under `nice` or a unit with `Nice=`: only privileged
 * processes may raise theirs, for others it is an error (EACCES).
 * @param nice as os.setPriority() takes it, from -20 (the highest) to 19
 */
export function lowerPriority(nice: number): void {
  if (getPriority() < nice) setPriority(nice)
}
