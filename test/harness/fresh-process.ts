import process from 'node:process'
import { defaultLimits, setDefaultLimits } from '../../src/platform/limits/account-limits.ts'
import { LIMITS } from '../../src/platform/limits.ts'

// Runs before each test file, and restores limits and environment variables: files in one process share them, and some change them.

const kept = globalThis as { beforeTests?: { limits: typeof LIMITS; env: NodeJS.ProcessEnv } }
kept.beforeTests ??= { limits: { ...LIMITS }, env: { ...process.env } }
Object.assign(LIMITS, kept.beforeTests.limits)
for (const name of Object.keys(process.env)) if (!(name in kept.beforeTests.env)) delete process.env[name]
Object.assign(process.env, kept.beforeTests.env)
setDefaultLimits(defaultLimits(100, {}))
