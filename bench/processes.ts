import { spawn, type ChildProcess } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))

export interface Load {
  perSecond: number
  p50Ms: number
  p95Ms: number
  p99Ms: number
  megabytes: number
  failures: number
}

/** Puts load on a server for some seconds, from a process of its own (load.ts). */
export async function load(
  url: string,
  token: string,
  connections: number,
  seconds: number,
  paths: readonly string[],
  restMs = 0,
): Promise<Load> {
  const child = start(['bench/load.ts', url, token, String(connections), String(seconds), String(restMs), ...paths], {})
  return JSON.parse(await firstLine(child, () => true)) as Load
}

/** Starts a Node process that is killed when the benchmark exits. */
export function start(args: readonly string[], env: Record<string, string>): ChildProcess {
  process.setMaxListeners(100)
  const child = spawn(process.execPath, args, {
    cwd: root,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, ...env },
  })
  process.once('exit', () => child.kill('SIGKILL'))
  child.stderr?.on('data', (chunk: Buffer) => {
    if (!chunk.toString().startsWith('{')) process.stderr.write(chunk)
  })
  return child
}

/** The first line of standard output for which `wanted` is true. */
export function firstLine(child: ChildProcess, wanted: (line: string) => boolean): Promise<string> {
  return new Promise((resolve, reject) => {
    child.once('exit', (code) => reject(new Error(`a child process ended with ${code} before it was ready`)))
    if (child.stdout === null) throw new Error('the child has no standard output')
    createInterface({ input: child.stdout }).on('line', (line) => {
      if (wanted(line)) resolve(line)
    })
  })
}

/** Resident memory of a process in MB, now and at its peak. */
export async function memoryOf(pid: number): Promise<{ nowMb: number; peakMb: number }> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8')
  const kilobytes = (name: string) => Number(new RegExp(`${name}:\\s+(\\d+)`).exec(status)?.[1] ?? 0)
  return { nowMb: Math.round(kilobytes('VmRSS') / 1_024), peakMb: Math.round(kilobytes('VmHWM') / 1_024) }
}

export function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0
}

/** A quantile of times, for a share such as 0.95. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0
}
