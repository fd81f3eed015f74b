import { getPriority, setPriority } from 'node:os'

/**
 * Lowers the priority of this process. A process whose priority is lower already keeps it, as a service that runs under `nice` or in a unit with
 * `Nice=`: raising a priority is an error (EACCES) for unprivileged processes.
 * @param nice as os.setPriority() takes it, from -20 (the highest) to 19
 */
export function lowerPriority(nice: number): void {
  if (getPriority() < nice) setPriority(nice)
}
