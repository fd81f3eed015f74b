import process from 'node:process'
import fc from 'fast-check'

// Loaded before the pure tests. Random tests do the same in every run of the fast gate. The full gate chooses a SEED (test/all.ts), prints it, and
// passes it to all of them; SEED=… before a command repeats a run. The error of a failed property is put into its message, where tests of mutants
// look for an assertion.

fc.configureGlobal({ seed: Number(process.env['SEED'] ?? 20_261_121), includeErrorInReport: true })
