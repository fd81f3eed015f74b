import process from 'node:process'
import fc from 'fast-check'

// Random tests are the same in every run of the fast gate. The full gate chooses a SEED (test/all.ts), prints it, and hands it to
// all of them; SEED=… in front of a command repeats a run. This module is loaded before the pure tests. What a property fails with is
// in its message, where tests of mutants look for an assertion.

fc.configureGlobal({ seed: Number(process.env['SEED'] ?? 20_261_121), includeErrorInReport: true })
