// States and origins of import runs; src/imports/runs has the same ones.

export const IMPORT_STATES = [
  'waiting',
  'fetching',
  'reading',
  'writing',
  'resolving',
  'succeeded',
  'unchanged',
  'held',
  'refused',
  'failed',
  'canceled',
] as const

export const IMPORT_TRIGGERS = ['schedule', 'request', 'upload', 'command', 'undo'] as const
